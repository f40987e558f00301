/** Hands a file that the page made to the browser's downloads. */

/** The browser may still read the address a moment after the click. */
const REVOKE_DELAY_MS = 10_000;

/** Saves bytes under a file name. */
export function downloadBlob(fileName: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_DELAY_MS);
}

/** Saves a text as UTF-8. `mimeType` as in "text/csv". */
export function downloadText(fileName: string, mimeType: string, text: string): void {
  downloadBlob(fileName, new Blob([text], { type: `${mimeType};charset=utf-8` }));
}
