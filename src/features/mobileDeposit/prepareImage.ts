/** Longest side of an uploaded check image: readable to a clerk, small on a phone's network. */
const LONGEST_SIDE_PX = 2_000;
const JPEG_QUALITY = 0.85;

function blobOf(canvas: HTMLCanvasElement): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY));
}

/**
 * Redraws a photo as a JPEG of sensible size, which also leaves its place and camera data behind.
 *
 * A format that this browser cannot draw is sent as it is: the server decides.
 */
export async function prepareImage(file: File): Promise<Blob> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return file;
  const scale = Math.min(1, LONGEST_SIDE_PX / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (context === null) return file;
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return (await blobOf(canvas)) ?? file;
}
