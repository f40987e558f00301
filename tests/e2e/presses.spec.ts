/** A press meets what it was meant for: nothing moves away under it, and no other row comes under it. */
import { ConvexHttpClient } from "convex/browser";
import { api } from "../../convex/_generated/api";
import { adminClient, userIdOf } from "../support/backOffice";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

test("a press that leaves the recipient's field meets the button, however long it lasts", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.omar);
  const section = page.getByRole("region", { name: "Transfer Money" });
  await section.getByRole("tab", { name: "To a Wrenmoor user" }).click();
  await section.getByLabel("Amount").fill("1");
  await section.getByLabel("Reference").fill("Lunch");
  await section.getByLabel("Recipient Email").fill(DEMO.maya);
  const send = section.getByRole("button", { name: "Send Money" });
  await send.hover();
  const top = async () => (await send.boundingBox())?.y;
  const before = await top();
  await page.mouse.down();
  await expect(section).toContainText("Recipient found: Maya Torres");
  // A pressed button stands a pixel lower.
  expect(await top()).toBe(Number(before) + 1);
  await page.mouse.up();
  await expect(section).toContainText("$1.00 sent to Maya Torres");
});

test("a press that leaves a wrong cell of the grid meets what is below it", async ({
  server,
  signInAs,
}) => {
  const page = await signInAs(DEMO.admin);
  const userId = await userIdOf(await adminClient(server.url), DEMO.omar);
  await page.goto(`${server.url}/admin?user=${userId}`);
  const balance = page.getByLabel("Update account balance");
  await expect(balance).toBeChecked();
  await page.getByLabel("Row 1 Description").fill("Refund");
  await page.getByLabel("Row 1 Amount").fill("ten");
  await balance.hover();
  const before = await balance.boundingBox();
  await page.mouse.down();
  await expect(balance).toBeFocused();
  expect(await balance.boundingBox()).toEqual(before);
  await page.mouse.up();
  await expect(page.getByText("Fix the marked fields first.")).toBeVisible();
  await expect(balance).not.toBeChecked();
});

test("a press that leaves a country typed in full meets the button", async ({ signInAs }) => {
  // All of the form is in sight, so that the browser does not make up for what leaves.
  const page = await signInAs(DEMO.maya, { viewport: { width: 1280, height: 1400 } });
  const section = page.getByRole("region", { name: "Transfer Money" });
  await section.getByRole("tab", { name: "International" }).click();
  const next = section.getByRole("button", { name: "Continue", includeHidden: true });
  const alert = section.getByRole("alert", { includeHidden: true });
  await next.click();
  await expect(alert).toBeVisible();
  await section.getByLabel("Country").pressSequentially("portugal");
  await next.hover();
  const top = async () => (await next.boundingBox())?.y;
  const before = await top();
  await page.mouse.down();
  await expect(next).toBeFocused();
  // A pressed button stands a pixel lower.
  expect(await top()).toBe(Number(before) + 1);
  await page.mouse.up();
  await expect(section.getByLabel("Country")).toHaveValue("Portugal");
  await expect(section.getByLabel("Recipient Name")).toBeFocused();
});

test("a press on its way to a message does not mark the one that has just taken its place", async ({
  server,
  signInAs,
}) => {
  const send = (name: string) =>
    new ConvexHttpClient(server.url, { logger: false }).mutation(api.contact.send, {
      name,
      email: "someone@mail.example",
      subject: "general",
      message: "A question.",
      preferredContact: "email",
    });
  await send("First");
  const page = await signInAs(DEMO.admin);
  await page.getByRole("link", { name: "Messages" }).click();
  const rows = page.getByRole("region", { name: "Messages" }).getByRole("listitem");
  const place = await rows
    .getByRole("button", { name: /^Mark as handled/ })
    .evaluate((button) => button.getBoundingClientRect().toJSON() as DOMRect);
  // Nobody is as fast as a page: the press comes at once.
  const watching = await page.evaluateHandle(
    ({ x, y }) => ({
      pressed: new Promise<unknown>((resolve) => {
        new MutationObserver((_, observer) => {
          observer.disconnect();
          const target = document.elementFromPoint(x + 5, y + 5);
          const click = new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 });
          resolve({ on: target?.textContent, isIgnored: target?.dispatchEvent(click) === false });
        }).observe(document.querySelector("#contact-messages")!, { childList: true });
      }),
    }),
    place,
  );
  await send("Second");
  expect(await watching.evaluate(({ pressed }) => pressed)).toEqual({
    on: "Mark as handled",
    isIgnored: true,
  });
  await expect(rows.first()).toContainText("Second");
});

for (const width of [390, 1280]) {
  test(`what is requested of an applicant meanwhile moves no check that is about to be ticked, ${width} px wide`, async ({
    server,
    signInAs,
  }) => {
    const second = await adminClient(server.url);
    const userId = await userIdOf(second, DEMO.lena);
    const page = await signInAs(DEMO.admin, { viewport: { width, height: 844 } });
    await page.goto(`${server.url}/admin?user=${userId}`);
    await page.getByRole("button", { name: "Verify User" }).click();
    const dialog = page.getByRole("dialog", { name: "User Verification" });
    const check = dialog.getByRole("checkbox", { name: "Address is complete" });
    await check.scrollIntoViewIfNeeded();
    const before = await check.boundingBox();
    await second.mutation(api.admin.registrations.requestInformation, {
      userId,
      text: "Please send a clearer picture.",
    });
    await expect(dialog).toContainText("Please send a clearer picture.");
    // What comes above what is in sight does not move it either, from the next frame on.
    await expect.poll(() => check.boundingBox()).toEqual(before);
  });
}
