/**
 * Encodes texts as WebSocket frames. The `ws` package can do this, but for one text at a time and in two
 * pieces with separate bookkeeping. Here an answer and the Transition after it are one write, and a text for
 * many connections is encoded once. Handshake, reading, pings and closing stay with `ws`.
 */

/** An unfragmented text frame: FIN and opcode 1 (RFC 6455, section 5.2). */
const WHOLE_TEXT = 0x81;
/** Longer payloads have their length in the next two bytes, or in the next eight from 2^16 on. */
const SHORT_MAX = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;
const TWO_BYTES_MAX = 0xffff;

function headerBytes(length: number): number {
  if (length <= SHORT_MAX) return 2;
  return length <= TWO_BYTES_MAX ? 4 : 10;
}

function writeHeader(frames: Buffer, at: number, length: number): number {
  frames[at] = WHOLE_TEXT;
  if (length <= SHORT_MAX) {
    frames[at + 1] = length;
    return at + 2;
  }
  if (length <= TWO_BYTES_MAX) {
    frames[at + 1] = TWO_BYTES;
    return frames.writeUInt16BE(length, at + 2);
  }
  frames[at + 1] = EIGHT_BYTES;
  return frames.writeBigUInt64BE(BigInt(length), at + 2);
}

let lastText: string | null = null;
let lastFrame: Buffer | null = null;

/** The unmasked frames of a server, concatenated. The buffer may be shared: do not change it. */
export function textFrames(texts: readonly string[]): Buffer {
  if (texts.length === 1 && texts[0] === lastText && lastFrame !== null) return lastFrame;
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const total = lengths.reduce((sum, length) => sum + headerBytes(length) + length, 0);
  const frames = Buffer.allocUnsafe(total);
  let at = 0;
  texts.forEach((text, index) => {
    at = writeHeader(frames, at, lengths[index] ?? 0);
    at += frames.write(text, at, "utf8");
  });
  const isAlone = texts.length === 1;
  lastText = isAlone ? texts[0]! : null;
  lastFrame = isAlone ? frames : null;
  return frames;
}
