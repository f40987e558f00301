/** A transfer's receipt, opened again from the history. */
import { expectNoViolations } from "./support/accessible";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

test("a transfer's receipt opens again in the history, and prints over the whole width", async ({
  server,
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  const section = page.getByRole("region", { name: "Transfer Money" });
  await section.getByLabel("Amount").fill("25");
  await section.getByLabel("Reference").fill("November savings");
  await section.getByRole("button", { name: "Transfer $25.00" }).click();
  await expect(section).toContainText("Available in Checking$4,225.75");

  await page.goto(`${server.url}/transactions`);
  await page.getByRole("button", { name: "Receipt, Transfer to Savings, $25.00" }).click();
  const receipt = page.getByRole("dialog", { name: "Transfer receipt" });
  await expect(receipt).toContainText("$25.00 sent to Savings");
  await expect(receipt).toContainText("Available in Checking afterwards$4,225.75");
  await expectNoViolations(page, "a receipt opened again");

  await page.evaluate(() => (window.print = () => undefined));
  await receipt.getByRole("button", { name: "Print receipt" }).click();
  await page.emulateMedia({ media: "print" });
  const { width } = (await page.locator("body").boundingBox())!;
  const paper = page.locator("[data-printable]");
  expect(await paper.boundingBox()).toMatchObject({ x: 0, y: 0, width });
});
