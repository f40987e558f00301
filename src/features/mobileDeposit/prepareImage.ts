import { readImage } from "#shared/imageFiles";

interface PictureSize {
  readonly longestSidePx: number;
  readonly jpegQuality: number;
}

/** Readable for staff, small on a mobile network. */
const USUAL: PictureSize = { longestSidePx: 2_000, jpegQuality: 0.85 };
/** Still readable, in a fifth of the bytes: the server takes no photo for longer than two minutes. */
const FOR_SLOW_LINES: PictureSize = { longestSidePx: 1_280, jpegQuality: 0.6 };

function blobOf(canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}

async function bitmapOf(file: File): Promise<ImageBitmap | null> {
  try {
    return await createImageBitmap(file);
  } catch {
    return null;
  }
}

/** True for what this browser can draw or the server recognizes, whatever the file calls itself. */
export async function isImage(file: File): Promise<boolean> {
  // A file may have been moved or changed since it was chosen.
  const bytes = await file.arrayBuffer().catch(() => null);
  if (bytes === null) return false;
  if (readImage(new Uint8Array(bytes)) !== null) return true;
  const bitmap = await bitmapOf(file);
  bitmap?.close();
  return bitmap !== null;
}

/**
 * Redraws a photo as a JPEG of sensible size, which also strips its location and camera data.
 *
 * A format this browser cannot draw is sent as it is: the server decides. `isLineSlow` makes it smaller.
 */
export async function prepareImage(file: File, isLineSlow = false): Promise<Blob> {
  const bitmap = await bitmapOf(file);
  if (bitmap === null) return file;
  const { longestSidePx, jpegQuality } = isLineSlow ? FOR_SLOW_LINES : USUAL;
  const scale = Math.min(1, longestSidePx / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (context === null) return file;
  // Transparent areas would turn black in a JPEG, like the ink.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return (await blobOf(canvas, jpegQuality)) ?? file;
}
