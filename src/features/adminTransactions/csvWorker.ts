/** Parses one CSV file off the page's thread and answers once. */
import type { CsvDefaults } from "#shared/csv";
import { parseCsvBytes, type CsvParse } from "./parseCsvBytes";

export interface CsvWorkerRequest {
  readonly bytes: ArrayBuffer;
  readonly defaults: CsvDefaults;
}

export interface CsvWorkerAnswer {
  readonly parse: CsvParse;
  /** SHA-256 of the bytes, hex; absent where the browser offers no digest. */
  readonly fileHash?: string;
}

/** The part of the worker's global scope that is used; the page's types do not cover workers. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<CsvWorkerRequest>) => void) | null;
  postMessage: (answer: CsvWorkerAnswer) => void;
}
const scope = globalThis as unknown as WorkerScope;

async function sha256Hex(bytes: ArrayBuffer): Promise<string | undefined> {
  // Absent on pages served over plain HTTP from another machine.
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle;
  if (subtle === undefined) return undefined;
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

scope.onmessage = (event) => {
  const { bytes, defaults } = event.data;
  const parse = parseCsvBytes(new Uint8Array(bytes), defaults);
  void sha256Hex(bytes).then((fileHash) =>
    scope.postMessage(fileHash === undefined ? { parse } : { parse, fileHash }),
  );
};
