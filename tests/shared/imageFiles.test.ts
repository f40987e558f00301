import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasUsableSize, readImage } from "../../convex/shared/imageFiles";

const bytesOf = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === "string" ? [...part].map((letter) => letter.charCodeAt(0)) : part,
    ),
  );
const u16 = (value: number) => [value >> 8, value & 0xff];
const u32 = (value: number) => [...u16(value >>> 16), ...u16(value & 0xffff)];
const le24 = (value: number) => [value & 0xff, (value >> 8) & 0xff, value >> 16];

const png = (width: number, height: number): Uint8Array =>
  bytesOf("\x89PNG\r\n\x1a\n", u32(13), "IHDR", u32(width), u32(height), [8, 2, 0, 0, 0]);
const jpeg = (width: number, height: number): Uint8Array =>
  bytesOf(
    [0xff, 0xd8, 0xff, 0xe0, ...u16(16)],
    "JFIF\0",
    new Array<number>(9).fill(0),
    [0xff, 0xc4, ...u16(4), 0, 0],
    [0xff, 0xc0, ...u16(17), 8, ...u16(height), ...u16(width)],
    new Array<number>(12).fill(0),
  );
/** With arithmetic coding, whose table (CC) lies before the frame. */
const arithmeticJpeg = (width: number, height: number): Uint8Array =>
  bytesOf(
    [0xff, 0xd8, 0xff, 0xcc, ...u16(4), 0, 0],
    [0xff, 0xc9, ...u16(17), 8, ...u16(height), ...u16(width)],
    new Array<number>(12).fill(0),
  );
/** With a segment of the reserved marker C8, and a filler byte before the frame. */
const paddedJpeg = (width: number, height: number): Uint8Array =>
  bytesOf(
    [0xff, 0xd8, 0xff, 0xc8, ...u16(4), 0, 0],
    [0xff, 0xff, 0xc0, ...u16(17), 8, ...u16(height), ...u16(width)],
    new Array<number>(12).fill(0),
  );
/**
 * Decoders skip `marker`, which has no length, and find the large frame behind it; whoever takes the bytes at 4 for its
 * length finds the small one.
 */
const disguisedJpeg = (marker: number, skipped: number[]): Uint8Array => {
  const bytes = new Uint8Array(0x1_0200);
  bytes.set([0xff, 0xd8, 0xff, marker, ...skipped, ...jpeg(20_000, 20_000).subarray(2)]);
  bytes.set(jpeg(800, 400).subarray(2), 4 + new DataView(bytes.buffer).getUint16(4));
  return bytes;
};
/** With loss; above each side there are two bits that ask for it to be shown larger. */
const lossyWebp = (width: number, height: number): Uint8Array => {
  const sides = [width, height].flatMap((side) => u16(side | 0xc000).reverse());
  return bytesOf("RIFF", u32(0), "WEBPVP8 ", u32(10), [0, 0, 0, 0x9d, 1, 0x2a, ...sides]);
};
/** Without loss and with transparency, whose bit lies beside the height. */
const losslessWebp = (width: number, height: number): Uint8Array => {
  const bits = (width - 1) | ((height - 1) << 14) | (1 << 28);
  return bytesOf("RIFF", u32(0), "WEBPVP8L", u32(5), [0x2f], u32(bits).reverse(), u32(0), [0]);
};
const webp = (width: number, height: number): Uint8Array =>
  bytesOf("RIFF", u32(0), "WEBPVP8X", u32(10), [0, 0, 0, 0], le24(width - 1), le24(height - 1));
const ispe = (width: number, height: number) => [
  ...u32(20),
  ...bytesOf("ispe"),
  ...[0, width, height].flatMap(u32),
];
const box = (type: string, content: number[]) => [
  ...u32(8 + content.length),
  ...bytesOf(type),
  ...content,
];
/** A box whose length has 64 bits. */
const longBox = (type: string, content: number[]) => [
  ...u32(1),
  ...bytesOf(type),
  ...[0, 16 + content.length].flatMap(u32),
  ...content,
];
const HEIC_TYPE = box("ftyp", [...bytesOf("heic"), ...new Array<number>(12).fill(0)]);
const heic = (width: number, height: number): Uint8Array =>
  bytesOf(HEIC_TYPE, box("meta", [...u32(0), ...ispe(512, 512), ...ispe(width, height)]));
/** With its pixels first, in which anything may be written. */
const heicFromBehind = (width: number, height: number): Uint8Array =>
  bytesOf(
    HEIC_TYPE,
    longBox("mdat", [...ispe(20_000, 20_000), ...new Array<number>(70_000).fill(0)]),
    [...heic(width, height).subarray(HEIC_TYPE.length)],
  );

/** Whose last box has no length: it reaches to the end of the file. */
const openHeic = (width: number, height: number): Uint8Array =>
  bytesOf(HEIC_TYPE, u32(0), "meta", u32(0), ispe(width, height));
/** With a thumbnail behind it. */
const heicAndThumbnail = (width: number, height: number): Uint8Array =>
  bytesOf(HEIC_TYPE, box("meta", [...u32(0), ...ispe(width, height), ...ispe(64, 64)]));

describe("images are recognized by their bytes", () => {
  test.each([
    ["image/png", png(1200, 600)],
    ["image/jpeg", jpeg(1200, 600)],
    ["image/jpeg", arithmeticJpeg(1200, 600)],
    ["image/jpeg", paddedJpeg(1200, 600)],
    ["image/webp", webp(1200, 600)],
    ["image/webp", lossyWebp(1200, 600)],
    ["image/webp", losslessWebp(1200, 600)],
    ["image/heic", heic(1200, 600)],
    ["image/heic", openHeic(1200, 600)],
    ["image/heic", heicAndThumbnail(1200, 600)],
    ["image/heic", heicFromBehind(1200, 600)],
  ])("reads type and dimensions of %s", (contentType, bytes) => {
    expect(readImage(bytes)).toEqual({ contentType, widthPx: 1200, heightPx: 600 });
  });

  test.each([
    ["nothing", bytesOf("")],
    ["text", bytesOf("this is no image at all, whatever its name may say")],
    ["a vector image, which may hold scripts", bytesOf('<svg xmlns="http://www.w3.org/2000/svg">')],
    ["a document with a picture's name", bytesOf("%PDF-1.7 ................................")],
    ["a signature without a header", bytesOf("\x89PNG\r\n\x1a\n")],
    ["a photo cut off before its frame", jpeg(100, 100).subarray(0, 24)],
    ["a photo whose frame lies behind something else", bytesOf([0xff, 0xd8, 0], "\xc0".repeat(30))],
    ["a photo with a restart marker before its frame", disguisedJpeg(0xd0, [])],
    ["a photo with an escaped byte before its frame", disguisedJpeg(0, [1, 0])],
    [
      "a photo of a phone that ends before its sizes",
      bytesOf(HEIC_TYPE, u32(0), "mdat", ispe(9, 9)),
    ],
    [
      "a photo of a phone with a box that has no end",
      bytesOf(HEIC_TYPE, u32(3), "free", ispe(9, 9)),
    ],
    [
      "a photo of a phone with a box of no bytes, which nobody gets past",
      bytesOf(HEIC_TYPE, u32(1), "free", u32(0), u32(0), ispe(9, 9)),
    ],
    ["another RIFF file", bytesOf("RIFF", u32(0), "WAVEfmt ", new Array<number>(30).fill(0))],
  ])("refuses %s", (_what, bytes) => {
    expect(readImage(bytes)).toBeNull();
  });

  test("reading arbitrary bytes never throws", () => {
    const heads = fc.constantFrom(png(9, 9), jpeg(9, 9), webp(9, 9), heic(9, 9), bytesOf(""));
    fc.assert(
      fc.property(heads, fc.uint8Array({ maxLength: 300 }), fc.nat(60), (head, tail, cut) => {
        const bytes = Uint8Array.from([...head.subarray(0, cut), ...tail]);
        expect(() => readImage(bytes)).not.toThrow();
      }),
    );
    for (const whole of [jpeg(9, 9), webp(9, 9), lossyWebp(9, 9), losslessWebp(9, 9), heic(9, 9)]) {
      for (const cut of whole.keys()) {
        expect(() => readImage(whole.slice(0, cut))).not.toThrow();
      }
    }
  });

  test("pictures are usable unless their size is zero or too large", () => {
    const size = (widthPx: number, heightPx: number) =>
      hasUsableSize({ contentType: "image/png", widthPx, heightPx });
    expect(size(1200, 600)).toBe(true);
    expect(size(1, 1)).toBe(true);
    expect(size(8_000, 8_000)).toBe(true);
    expect(size(8_000, 8_001)).toBe(false);
    expect(size(12_001, 600)).toBe(false);
    expect(size(12_000, 12_000)).toBe(false);
    expect(size(0, 0)).toBe(false);
    const wide = readImage(webp(65_536 + 100, 100));
    expect(wide).toMatchObject({ widthPx: 65_636 });
  });
});
