import { readImage } from "#shared/imageFiles";

/** Longest side of an uploaded check image: readable for staff, small on a mobile network. */
const LONGEST_SIDE_PX = 2_000;
const JPEG_QUALITY = 0.85;

function blobOf(canvas: HTMLCanvasElement): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY));
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
 * A format this browser cannot draw is sent as it is: the server decides.
 */
export async function prepareImage(file: File): Promise<Blob> {
  const bitmap = await bitmapOf(file);
  if (bitmap === null) return file;
  const scale = Math.min(1, LONGEST_SIDE_PX / Math.max(bitmap.width, bitmap.height));
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
  return (await blobOf(canvas)) ?? file;
}
