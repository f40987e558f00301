/** What people write without a space, such as a long address of a page, is read whole on a phone. */
import type { Page } from "@playwright/test";
import { ConvexHttpClient } from "convex/browser";
import { api } from "../../convex/_generated/api";
import { adminClient, userIdOf } from "../support/backOffice";
import { expectNoSidewaysScroll } from "./support/accessible";
import { DEMO } from "./support/people";
import { expect, expectLoaded, passwordStep, test } from "./support/test";

const PHONE = { viewport: { width: 320, height: 640 } };
const WORD = `https://files.example/${"evidence".repeat(12)}`;
const ADDRESS = `${"m".repeat(60)}@${"c".repeat(60)}.example`;

/** The beginnings of texts that end beyond the window's edges, where nothing scrolls them into view. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isHidden = (element: Element | null): boolean =>
      element !== null &&
      (element.matches("[inert], .sr-only") ||
        /auto|scroll/.test(getComputedStyle(element).overflowX) ||
        getComputedStyle(element).textOverflow === "ellipsis" ||
        isHidden(element.parentElement));
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, right } = range.getBoundingClientRect();
      const isBeyond = right > width + 1 || left < -1;
      if (isBeyond && !isHidden(text.parentElement))
        found.push((text.nodeValue ?? "").slice(0, 40));
    }
    return found;
  });

async function expectWhole(page: Page, name: string): Promise<void> {
  await expect.poll(() => cutOff(page), `${name} cuts texts off`).toEqual([]);
  await expectNoSidewaysScroll(page, name);
}

test("in the back office", async ({ server, signInAs }) => {
  test.slow();
  const admin = await adminClient(server.url);
  await new ConvexHttpClient(server.url, { logger: false }).mutation(api.contact.send, {
    name: "N".repeat(80),
    email: ADDRESS,
    subject: "general",
    message: `See ${WORD}`,
    preferredContact: "email",
  });
  const [lena, omar] = await Promise.all(
    [DEMO.lena, DEMO.omar].map((email) => userIdOf(admin, email)),
  );
  if (lena === undefined || omar === undefined) throw new Error("no people");
  await admin.mutation(api.admin.registrations.requestInformation, { userId: lena, text: WORD });
  await admin.mutation(api.admin.restrictions.set, { userId: omar, reason: WORD });
  await admin.action(api.admin.users.create, {
    name: "Long Address",
    email: ADDRESS,
    phone: "1",
    password: "wren-pass-77",
    role: "user",
    street: "s",
    city: "c",
    state: "s",
    zipCode: "z",
    checking: { balanceCents: 123_456_789n, availableCents: 123_456_789n },
    savings: { balanceCents: 0n, availableCents: 0n },
  });
  const page = await signInAs(DEMO.admin, PHONE);
  for (const email of [DEMO.omar, DEMO.lena, ADDRESS]) {
    await page.goto(new URL("/admin", page.url()).href);
    await page.getByRole("button", { name: new RegExp(`^${email}`) }).click();
    await expect(page.getByRole("button", { name: "Verify User" })).toBeVisible();
    await expectWhole(page, `details of ${email}`);
    await page.getByRole("button", { name: "Verify User" }).click();
    const dialog = page.getByRole("dialog", { name: "User Verification" });
    await expect(dialog.getByText(email).first()).toBeVisible();
    await expectWhole(page, `verification of ${email}`);
  }
  await admin.mutation(api.admin.registrations.reject, { userId: lena, reason: WORD });
  for (const room of ["messages", "outbox", "audit", "reset-transfers"]) {
    await page.goto(new URL(`/admin/${room}`, page.url()).href);
    await expectLoaded(page);
    for (const mail of await page.locator("summary").all()) await mail.click();
    await expectWhole(page, room);
  }
});

test("on the status page of an applicant", async ({ server, visit }) => {
  const admin = await adminClient(server.url);
  const lena = await userIdOf(admin, DEMO.lena);
  await admin.mutation(api.admin.registrations.requestInformation, { userId: lena, text: WORD });
  const page = await visit("/login", PHONE);
  await passwordStep(page, DEMO.lena);
  await expect(page.getByText(WORD)).toBeVisible();
  await expectWhole(page, "the request for information");
  await admin.mutation(api.admin.registrations.reject, { userId: lena, reason: WORD });
  await expect(page.getByRole("heading", { name: "Application not approved" })).toBeVisible();
  await expectWhole(page, "the rejection");
});
