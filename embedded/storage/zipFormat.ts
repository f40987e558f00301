/**
 * The zip format, as far as the official export format needs it: no encryption, a single file. Numbers that
 * do not fit 16 or 32 bits use ZIP64 (APPNOTE.TXT 4.3.14, 4.3.15 and 4.5.3).
 */
export const LOCAL_HEADER = 0x04034b50;
export const CENTRAL_HEADER = 0x02014b50;
export const END_OF_DIRECTORY = 0x06054b50;
export const END_OF_DIRECTORY_64 = 0x06064b50;
export const LOCATOR_64 = 0x07064b50;
export const LOCAL_BYTES = 30;
export const CENTRAL_BYTES = 46;
export const END_BYTES = 22;
export const END_64_BYTES = 56;
export const LOCATOR_64_BYTES = 20;
export const DEFLATED = 8;
export const MAX_32 = 0xffff_ffff;
export const EXTRA_64 = 0x0001;

export interface EntryInfo {
  readonly name: string;
  readonly method: number;
  readonly checksum: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
}
