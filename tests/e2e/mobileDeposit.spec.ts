/** Mobile Deposit (spec sections 2, 5, 8): two photos, an amount, a review by the credit union. */
import type { Locator, Page } from "@playwright/test";
import { expectNoSidewaysScroll } from "./support/accessible";
import { DEMO } from "./support/people";
import { pngFile, transparentPngFile } from "./support/pictures";
import { expect, test } from "./support/test";

async function openPanel(page: Page): Promise<Locator> {
  const panel = page.getByRole("region", { name: "Quick Actions" });
  await panel.getByRole("button", { name: "Mobile Deposit" }).click();
  return panel;
}

/** The same picture for both sides. */
async function choosePhotos(panel: Locator, file: ReturnType<typeof pngFile>): Promise<void> {
  for (const side of ["Front of check", "Back of check"]) {
    await panel.getByLabel(side, { exact: true }).setInputFiles(file);
  }
}

test("a check is deposited with both photos and waits for its review", async ({ signInAs }) => {
  const page = await signInAs(DEMO.omar);
  const panel = await openPanel(page);
  const deposit = panel.getByRole("button", { name: "Deposit Check" });
  await expect(deposit).toBeDisabled();
  await panel.getByLabel("Amount").fill("10000.01");
  await panel.getByLabel("Front of check", { exact: true }).setInputFiles(pngFile("front.png"));
  await expect(deposit).toBeDisabled();
  await panel.getByLabel("Back of check", { exact: true }).setInputFiles(pngFile("back.png"));
  await deposit.click();
  await expect(panel.getByRole("alert")).toHaveText("Deposits are limited to $10,000.00 per check");
  await panel.getByLabel("Amount").fill("120");
  await deposit.click();
  await expect(
    panel.getByText(
      "Check deposit submitted successfully! Your funds will be available according to our standard deposit policy.",
    ),
  ).toBeVisible();
  await expect(panel.getByText("Pending Review")).toBeVisible();
  await expect(deposit).toBeDisabled();
  await expect(page.getByRole("region", { name: "Recent Transactions" })).toContainText("+$120.00");
  await expect(page.locator("main")).toContainText("Available Balance$980.10");
});

test("on a phone a long photo name is truncated", { tag: "@long" }, async ({ signInAs }) => {
  const page = await signInAs(DEMO.omar, { viewport: { width: 320, height: 640 } });
  const panel = await openPanel(page);
  const name = `${"photo-of-the-front-of-a-check-".repeat(3)}.png`;
  await panel.getByLabel("Front of check", { exact: true }).setInputFiles(pngFile(name));
  await expect(panel.getByText(name)).toBeVisible();
  await expectNoSidewaysScroll(page, "Mobile Deposit");
});

test(
  "a transparent picture is sent with a white background, not a black one",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.omar);
    const panel = await openPanel(page);
    await panel.getByLabel("Amount").fill("12");
    await choosePhotos(panel, transparentPngFile("clear.png"));
    await panel.getByRole("button", { name: "Deposit Check" }).click();
    await expect(panel.getByText(/^Check deposit submitted successfully!/)).toBeVisible();
    const admin = await signInAs(DEMO.admin);
    await admin
      .getByRole("navigation", { name: "Back office" })
      .getByRole("link", { name: "Deposits" })
      .click();
    await admin.getByRole("button", { name: new RegExp(DEMO.omar) }).click();
    const image = admin.getByRole("img", { name: "Front of check" });
    const firstPixel = () =>
      image.evaluate(async (node) => {
        const picture = node as HTMLImageElement;
        await picture.decode();
        const context = document.createElement("canvas").getContext("2d");
        context?.drawImage(picture, 0, 0);
        return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
      });
    await expect.poll(firstPixel).toEqual([255, 255, 255, 255]);
  },
);

test(
  "the progress of an upload is drawn along the whole photo, in colors of its own",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.omar);
    const panel = await openPanel(page);
    await panel.getByLabel("Amount").fill("12");
    await choosePhotos(panel, pngFile("check.png"));
    // Half of the picture is sent, and it stays at that.
    await page.evaluate(() => {
      XMLHttpRequest.prototype.send = function () {
        const half = { lengthComputable: true, loaded: 1, total: 2 };
        this.upload.dispatchEvent(new ProgressEvent("progress", half));
      };
    });
    await panel.getByRole("button", { name: "Deposit Check" }).click();
    const bar = panel.getByRole("progressbar", { name: "Uploading front of check" });
    await expect(bar).toBeVisible();
    const photo = panel.getByLabel("Front of check", { exact: true });
    const [barBox, photoBox] = [await bar.boundingBox(), await photo.boundingBox()];
    expect(barBox!.x - photoBox!.x).toBe(12);
    expect(photoBox!.width - barBox!.width).toBe(24);
    await expect(bar).toHaveCSS("appearance", "none");
  },
);
