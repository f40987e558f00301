/**
 * Pagination cursors: an encrypted and authenticated position in one query's range.
 *
 * A cursor holds a fingerprint of its query and an index key. It is encrypted because keys reveal indexed
 * values. It is deterministic: the same page has the same cursor, so equal results stay equal.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac } from "node:crypto";
import { InvalidCursorError } from "./errors.ts";
import type { IndexKey } from "./types.ts";

const FINGERPRINT_BYTES = 8;
const SEAL_BYTES = 16;
const AT_END = 1;
const AFTER_KEY = 0;

/** `null` is the end of the range. */
export type CursorPosition = IndexKey | null;

/** Hash of what identifies a query: table, index, range, filters, order. */
export function fingerprint(description: string): Buffer {
  return createHash("sha256").update(description).digest().subarray(0, FINGERPRINT_BYTES);
}

/** Cursors of one database. They are valid as long as its secret: also after a restart, and in a copy. */
export class CursorCodec {
  private readonly sealKey: Buffer;
  private readonly cipherKey: Buffer;

  /** @param secret the secret stored in this database */
  constructor(secret: Buffer) {
    this.sealKey = createHmac("sha256", secret).update("cursor seal").digest();
    this.cipherKey = createHmac("sha256", secret).update("cursor cipher").digest();
  }

  /** A codec for positions in one index, without the index number: an index that is rebuilt gets another one. */
  within(prefix: IndexKey): Pick<CursorCodec, "encode" | "decode"> {
    const encode = (query: Buffer, position: CursorPosition): string =>
      this.encode(query, position && position.slice(prefix.length));
    const decode = (query: Buffer, cursor: string): CursorPosition => {
      const rest = this.decode(query, cursor);
      return rest === null ? null : prefix + rest;
    };
    return { encode, decode };
  }

  encode(query: Buffer, position: CursorPosition): string {
    const key = Buffer.from(position ?? "", "latin1");
    const plain = Buffer.concat([query, Buffer.of(position === null ? AT_END : AFTER_KEY), key]);
    const seal = this.seal(plain);
    const cipher = createCipheriv("aes-256-ctr", this.cipherKey, seal);
    return Buffer.concat([seal, cipher.update(plain), cipher.final()]).toString("base64url");
  }

  /** @throws InvalidCursorError for anything {@link encode} did not make for this query */
  decode(query: Buffer, cursor: string): CursorPosition {
    const bytes = Buffer.from(cursor, "base64url");
    if (bytes.length < SEAL_BYTES) throw new InvalidCursorError();
    const seal = bytes.subarray(0, SEAL_BYTES);
    const decipher = createDecipheriv("aes-256-ctr", this.cipherKey, seal);
    const plain = Buffer.concat([decipher.update(bytes.subarray(SEAL_BYTES)), decipher.final()]);
    const isOurs =
      this.seal(plain).equals(seal) && plain.subarray(0, FINGERPRINT_BYTES).equals(query);
    if (!isOurs) throw new InvalidCursorError();
    return plain[FINGERPRINT_BYTES] === AT_END
      ? null
      : plain.toString("latin1", FINGERPRINT_BYTES + 1);
  }

  private seal(plain: Buffer): Buffer {
    return createHmac("sha256", this.sealKey).update(plain).digest().subarray(0, SEAL_BYTES);
  }
}
