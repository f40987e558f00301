/** Which connections to cut because their clients do not read what waits for them. */

const MEBIBYTE = 1024 * 1024;
/** Unsent bytes to one client. */
const UNSENT_MAX_BYTES = 64 * MEBIBYTE;
/** Unsent bytes to all clients: small queries have large results, so a few hundred connections would fill the memory. */
const ALL_UNSENT_MAX_BYTES = 512 * MEBIBYTE;

/** Those beyond either limit, the slowest first. */
export function slowReaders<Reader extends { readonly unsentBytes: number }>(
  readers: Iterable<Reader>,
): Reader[] {
  let allBytes = 0;
  const behind: { readonly reader: Reader; readonly bytes: number }[] = [];
  for (const reader of readers) {
    const bytes = reader.unsentBytes;
    if (bytes === 0) continue;
    behind.push({ reader, bytes });
    allBytes += bytes;
  }
  const slow: Reader[] = [];
  for (const { reader, bytes } of behind.sort((one, other) => other.bytes - one.bytes)) {
    if (bytes <= UNSENT_MAX_BYTES && allBytes <= ALL_UNSENT_MAX_BYTES) break;
    slow.push(reader);
    allBytes -= bytes;
  }
  return slow;
}
