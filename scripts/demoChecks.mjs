/**
 * `node scripts/demoChecks.mjs`: draws the two photos of the demo data set's waiting check deposit in a
 * browser's canvas and writes them as convex/model/demoChecks.ts. Run it after changing the drawing.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { ensureBrowser, ensurePackages, ROOT } from "./lib/install.mjs";

const OUTPUT = path.join(ROOT, "convex", "model", "demoChecks.ts");

/** Runs in the page: both sides as base64 of WebP. */
function drawChecks() {
  const WIDTH_PX = 880;
  const HEIGHT_PX = 396;
  const QUALITY = 0.35;
  const INK = "#1c2b33";
  const PEN = "#1d3a8a";

  function newCheck() {
    const canvas = document.createElement("canvas");
    canvas.width = WIDTH_PX;
    canvas.height = HEIGHT_PX;
    const pen = canvas.getContext("2d");
    // A table with the check on it, slightly rotated like in a photo.
    pen.fillStyle = "#5b4a3c";
    pen.fillRect(0, 0, WIDTH_PX, HEIGHT_PX);
    pen.translate(WIDTH_PX / 2, HEIGHT_PX / 2);
    pen.rotate(-0.008);
    pen.translate(-WIDTH_PX / 2, -HEIGHT_PX / 2);
    pen.fillStyle = "#e9f1ee";
    pen.fillRect(28, 24, WIDTH_PX - 56, HEIGHT_PX - 48);
    const write = (text, x, y, font, color = INK) => {
      pen.font = font;
      pen.fillStyle = color;
      pen.fillText(text, x, y);
    };
    const line = (x1, y1, x2, y2) => {
      pen.strokeStyle = INK;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(x1, y1);
      pen.lineTo(x2, y2);
      pen.stroke();
    };
    const toBase64 = () => canvas.toDataURL("image/webp", QUALITY).split(",")[1];
    return { pen, write, line, toBase64 };
  }

  const front = newCheck();
  front.write("Alder and Finch Design", 60, 70, "600 22px sans-serif");
  front.write("18 Foundry Row, Albany, NY 12207", 60, 94, "15px sans-serif");
  front.write("1042", 770, 70, "600 20px monospace");
  front.write("Date", 596, 118, "14px sans-serif");
  front.write("November 16", 640, 114, "italic 24px cursive", PEN);
  front.line(636, 122, 820, 122);
  front.write("Pay to the", 60, 160, "13px sans-serif");
  front.write("order of", 60, 176, "13px sans-serif");
  front.write("Maya Torres", 150, 170, "italic 30px cursive", PEN);
  front.line(136, 180, 640, 180);
  front.pen.strokeRect(668, 146, 152, 40);
  front.write("$ 245.00", 684, 176, "italic 28px cursive", PEN);
  front.write("Two hundred forty-five and 00/100", 60, 222, "italic 26px cursive", PEN);
  front.line(60, 232, 740, 232);
  front.write("Dollars", 752, 230, "15px sans-serif");
  front.write("Alder & Finch Bank", 60, 266, "600 16px sans-serif");
  front.write("Memo", 60, 312, "14px sans-serif");
  front.write("Workshop materials", 112, 308, "italic 22px cursive", PEN);
  front.line(106, 316, 400, 316);
  front.write("J. Alder", 610, 306, "italic 32px cursive", PEN);
  front.line(520, 316, 820, 316);
  front.write("|: 990010139 |:  004417820016 ||'  1042", 60, 354, "600 20px monospace");
  front.write("SPECIMEN, demonstration only", 600, 354, "13px sans-serif", "#8a3b2a");

  const back = newCheck();
  back.write("Endorse here", 64, 62, "14px sans-serif");
  back.line(60, 120, 460, 120);
  back.line(60, 176, 460, 176);
  back.line(60, 232, 460, 232);
  back.write("Maya Torres", 80, 112, "italic 32px cursive", PEN);
  back.write("For Mobile Deposit Only", 80, 168, "italic 25px cursive", PEN);
  back.write("Do not write, stamp or sign below this line", 64, 262, "13px sans-serif");
  back.line(60, 270, 460, 270);
  back.write("SPECIMEN, demonstration only", 600, 354, "13px sans-serif", "#8a3b2a");
  return { front: front.toBase64(), back: back.toBase64() };
}

await ensurePackages();
const { chromium } = await import("playwright-core");
const browser = await chromium.launch({
  executablePath: await ensureBrowser(),
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const page = await browser.newPage();
  const { front, back } = await page.evaluate(drawChecks);
  writeFileSync(
    OUTPUT,
    `/**
 * Photos of the demo data set's waiting check deposit, base64 of WebP. Drawn by scripts/demoChecks.mjs,
 * which says what is on them: do not edit.
 */
export const DEMO_CHECK_FRONT =
  "${front}";

export const DEMO_CHECK_BACK =
  "${back}";
`,
  );
} finally {
  await browser.close();
}
