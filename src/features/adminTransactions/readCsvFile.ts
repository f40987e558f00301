/** Hands a chosen file to the CSV worker; a file that is too large is refused before a byte is read. */
import { csvSizeProblem, type CsvDefaults } from "#shared/csv";
import type { CsvWorkerAnswer, CsvWorkerRequest } from "./csvWorker";
import type { CsvParse } from "./parseCsvBytes";

/** How long the worker's script and its work may take. On a line that swallows everything, browsers wait far longer. */
const ANSWER_WAIT_MS = 60_000;

export interface CsvFileReading {
  readonly parse: CsvParse;
  readonly fileHash?: string;
}

/** Reads one file; never rejects: what went wrong is in `parse.problem`. */
export async function readCsvFile(file: File, defaults: CsvDefaults): Promise<CsvFileReading> {
  const sizeProblem = csvSizeProblem(file.size);
  if (sizeProblem !== null) return failure(sizeProblem);
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return failure("the file could not be read");
  }
  try {
    return await askWorker({ bytes, defaults });
  } catch {
    // A release since the page was opened has removed the script, or there is no connection.
    return failure("a part of this page did not load: reload the page, then choose the file again");
  }
}

function failure(problem: string): CsvFileReading {
  return { parse: { isOk: false, problem } };
}

async function askWorker(request: CsvWorkerRequest): Promise<CsvFileReading> {
  const worker = new Worker(new URL("./csvWorker.ts", import.meta.url), { type: "module" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<CsvWorkerAnswer>((resolve, reject) => {
      worker.onmessage = (event: MessageEvent<CsvWorkerAnswer>) => resolve(event.data);
      worker.onerror = () => reject(new Error("CSV worker failed"));
      timer = setTimeout(() => reject(new Error("CSV worker did not answer")), ANSWER_WAIT_MS);
      worker.postMessage(request, [request.bytes]);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
