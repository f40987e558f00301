/** Mobile Deposit (spec sections 2, 5, 8): two photos, an amount, a review by the credit union. */
import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";
import { expectNoSidewaysScroll } from "./support/accessible";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

/** A grey picture of 200 by 100 pixels in the simplest format that browsers and servers read. */
function greyPng(): Buffer {
  const [width, height] = [200, 100];
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (width + 1), 0x80);
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The checksum of a PNG chunk. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const image = (name: string) => ({ name, mimeType: "image/png", buffer: greyPng() });

test("a check is deposited with both photos and waits for its review", async ({ signInAs }) => {
  const page = await signInAs(DEMO.omar);
  const panel = page.getByRole("region", { name: "Quick Actions" });
  await panel.getByRole("button", { name: "Mobile Deposit" }).click();
  const deposit = panel.getByRole("button", { name: "Deposit Check" });
  await expect(deposit).toBeDisabled();
  await panel.getByLabel("Amount").fill("10000.01");
  await panel.getByLabel("Front of check", { exact: true }).setInputFiles(image("front.png"));
  await expect(deposit).toBeDisabled();
  await panel.getByLabel("Back of check", { exact: true }).setInputFiles(image("back.png"));
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

test("on a phone the name of a photo is cut where its room ends", async ({ signInAs }) => {
  const page = await signInAs(DEMO.omar, { viewport: { width: 320, height: 640 } });
  const panel = page.getByRole("region", { name: "Quick Actions" });
  await panel.getByRole("button", { name: "Mobile Deposit" }).click();
  const name = `${"photo-of-the-front-of-a-check-".repeat(3)}.png`;
  await panel.getByLabel("Front of check", { exact: true }).setInputFiles(image(name));
  await expect(panel.getByText(name)).toBeVisible();
  await expectNoSidewaysScroll(page, "Mobile Deposit");
});
