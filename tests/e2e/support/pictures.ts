/** Pictures for file fields, encoded here because no test dependency can. */
import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";

/** The PNG color type and the value of every pixel. */
interface PixelKind {
  readonly colorType: number;
  readonly pixel: Buffer;
}
const GREY: PixelKind = { colorType: 0, pixel: Buffer.of(0x80) };
const TRANSPARENT: PixelKind = { colorType: 6, pixel: Buffer.of(0, 0, 0, 0) };

/** A PNG of 200 by 100 equal pixels. */
function pngOf({ colorType, pixel }: PixelKind): Buffer {
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
  header.set([8, colorType, 0, 0, 0], 8);
  // Each row begins with its filter type: none.
  const row = Buffer.concat([Buffer.of(0), ...Array.from({ length: width }, () => pixel)]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
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

const fileOf = (name: string, kind: PixelKind) => ({
  name,
  mimeType: "image/png",
  buffer: pngOf(kind),
});

export const pngFile = (name: string) => fileOf(name, GREY);
export const transparentPngFile = (name: string) => fileOf(name, TRANSPARENT);
