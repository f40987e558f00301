/**
 * What an uploaded cheque image must be, judged by its bytes: type by signature, dimensions from its
 * header. The name and the type a browser claims count for nothing.
 *
 * Not here: storing and serving (model/depositImages, depositImageRoutes).
 */

/** Spec silent: the cap for one image. */
export const IMAGE_BYTES_MAX = 10_000_000;
/** Headers that claim more are pixel bombs. */
const IMAGE_SIDE_MAX_PX = 12_000;
const IMAGE_PIXELS_MAX = 64_000_000;

type ImageType = "image/jpeg" | "image/png" | "image/webp" | "image/heic";
type ImageFacts = {
  readonly contentType: ImageType;
  readonly widthPx: number;
  readonly heightPx: number;
};

/** Type and dimensions of an image, or null when the bytes are none of the four types. */
export function readImage(bytes: Uint8Array): ImageFacts | null {
  return readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes) ?? readHeic(bytes);
}

/**
 * True for an image that has pixels, and whose pixels fit into memory. Spec section 5 asks only for an
 * image: whether a small one shows the cheque is for the review.
 */
export function hasUsableSize({ widthPx, heightPx }: ImageFacts): boolean {
  const hasPixels = Math.min(widthPx, heightPx) >= 1;
  const isShortEnough = Math.max(widthPx, heightPx) <= IMAGE_SIDE_MAX_PX;
  return hasPixels && isShortEnough && widthPx * heightPx <= IMAGE_PIXELS_MAX;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** ASCII text at an offset. */
function textAt(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length));
}

function readPng(bytes: Uint8Array): ImageFacts | null {
  if (bytes.length < 24 || textAt(bytes, 0, 8) !== "\x89PNG\r\n\x1a\n") return null;
  if (textAt(bytes, 12, 4) !== "IHDR") return null;
  const view = viewOf(bytes);
  return { contentType: "image/png", widthPx: view.getUint32(16), heightPx: view.getUint32(20) };
}

/** True for markers without a length, which decoders skip: what follows would be read differently here. */
const isBare = (marker: number): boolean => marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9);

/** Walks the segments up to the frame header (any SOF except the tables C4, C8, CC). */
function readJpeg(bytes: Uint8Array): ImageFacts | null {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  const view = viewOf(bytes);
  let at = 2;
  while (at + 9 < bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || isBare(marker)) return null;
    const isFiller = marker === 0xff;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      return {
        contentType: "image/jpeg",
        heightPx: view.getUint16(at + 5),
        widthPx: view.getUint16(at + 7),
      };
    }
    at += isFiller ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

function readWebp(bytes: Uint8Array): ImageFacts | null {
  if (bytes.length < 30 || textAt(bytes, 0, 4) !== "RIFF" || textAt(bytes, 8, 4) !== "WEBP") {
    return null;
  }
  const view = viewOf(bytes);
  const contentType = "image/webp";
  switch (textAt(bytes, 12, 4)) {
    case "VP8 ":
      return {
        contentType,
        widthPx: view.getUint16(26, true) & 0x3fff,
        heightPx: view.getUint16(28, true) & 0x3fff,
      };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { contentType, widthPx: (bits & 0x3fff) + 1, heightPx: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return {
        contentType,
        widthPx: (view.getUint32(24, true) & 0xffffff) + 1,
        heightPx: (view.getUint32(26, true) >>> 8) + 1,
      };
    default:
      return null;
  }
}

const HEIC_BRANDS = new Set(["heic", "heix", "hevc", "mif1", "msf1", "heim", "heis"]);

/** Types of boxes, as numbers: a file can have millions of places to compare, and texts would take seconds. */
const META = 0x6d657461;
const ISPE = 0x69737065;

/** The box with what is known about the pictures in the file: decoders read the first one. */
function metaBox(bytes: Uint8Array): Uint8Array | null {
  const view = viewOf(bytes);
  for (let at = 0; at + 16 <= bytes.length;) {
    const length = view.getUint32(at);
    // 0: to the end of the file; 1: the length has 64 bits.
    const size = length === 1 ? Number(view.getBigUint64(at + 8)) : length || Infinity;
    if (view.getUint32(at + 4) === META) return bytes.subarray(at, at + size);
    if (size < 8) return null;
    at += size;
  }
  return null;
}

/** The largest `ispe` (image spatial extents) box: tiles have smaller ones. */
function readHeic(bytes: Uint8Array): ImageFacts | null {
  if (bytes.length < 12 || textAt(bytes, 4, 4) !== "ftyp") return null;
  if (!HEIC_BRANDS.has(textAt(bytes, 8, 4))) return null;
  const meta = metaBox(bytes);
  if (meta === null) return null;
  const view = viewOf(meta);
  let widthPx = 0;
  let heightPx = 0;
  for (let at = 0; at + 16 <= meta.length; at++) {
    if (view.getUint32(at) !== ISPE) continue;
    widthPx = Math.max(widthPx, view.getUint32(at + 8));
    heightPx = Math.max(heightPx, view.getUint32(at + 12));
  }
  return widthPx === 0 ? null : { contentType: "image/heic", widthPx, heightPx };
}
