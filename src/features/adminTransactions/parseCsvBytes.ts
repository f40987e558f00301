/**
 * From the bytes of a chosen file to rows for the grid: encoding, separator, quotes, caps.
 * Runs in the worker; papaparse is loaded with it, on the first pick of a file.
 */
import Papa from "papaparse";
import {
  countHeaderNames,
  csvSizeProblem,
  readCsvRows,
  type CsvDefaults,
  type CsvRow,
} from "#shared/csv";
import { ROWS_PER_BATCH_MAX } from "#shared/limits";

export type CsvParse =
  | {
      readonly isOk: true;
      readonly rows: readonly CsvRow[];
      /** Set when the file was not UTF-8, in words. */
      readonly encodingNote?: string;
    }
  | { readonly isOk: false; readonly problem: string };

const SEPARATORS = [",", ";", "\t", "|"] as const;
/** The line that spreadsheets take as a note on the separator; the header shows it too. */
const SEPARATOR_NOTE = /^"?sep=."?\n/i;
/** Enough of the file to hold its first line, for choosing the separator. */
const HEADER_SAMPLE_LENGTH = 4_000;

/** Reads a whole file or says in one sentence why it cannot. */
export function parseCsvBytes(bytes: Uint8Array, defaults: CsvDefaults): CsvParse {
  const sizeProblem = csvSizeProblem(bytes.byteLength);
  if (sizeProblem !== null) return refuse(sizeProblem);
  const { text, encodingNote } = decode(bytes);
  const nulAt = text.indexOf("\0");
  if (nulAt >= 0) {
    const line = text.slice(0, nulAt).split(/\r\n|\r|\n/).length;
    return refuse(`line ${line} holds a NUL character; save the file as CSV with UTF-8 encoding`);
  }
  const unified = unifyLineEnds(text).replace(SEPARATOR_NOTE, "");
  const separator = chooseSeparator(unified);
  const lines = splitLines(unified, separator);
  if (typeof lines === "string") return refuse(lines);
  const reading = readCsvRows(lines, defaults, separator);
  if (!reading.isOk) return refuse(reading.problem);
  return {
    isOk: true,
    rows: reading.rows,
    ...(encodingNote === undefined ? {} : { encodingNote }),
  };
}

function refuse(problem: string): CsvParse {
  return { isOk: false, problem };
}

function decode(bytes: Uint8Array): { text: string; encodingNote?: string } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return utf16(bytes, "utf-16le");
  if (first === 0xfe && second === 0xff) return utf16(bytes, "utf-16be");
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return {
      text: new TextDecoder("windows-1252").decode(bytes),
      encodingNote: "The file is not UTF-8 and was read as Windows-1252. Check accented letters.",
    };
  }
}

function utf16(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be") {
  return {
    text: new TextDecoder(encoding).decode(bytes),
    encodingNote: "The file is UTF-16.",
  };
}

/** Files glued together from several systems mix line ends; papaparse wants one kind. */
function unifyLineEnds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** The lines that are not blank, or a sentence about the first broken quote or the row cap. */
function splitLines(text: string, separator: string): string[][] | string {
  const lines: string[][] = [];
  let problem: string | null = null;
  Papa.parse<string[]>(text, {
    delimiter: separator,
    newline: "\n",
    header: false,
    step: ({ data, errors }, parser) => {
      const isBlank = data.every((cell) => cell.trim() === "");
      const broken = errors.find((error) => error.type === "Quotes");
      if (broken !== undefined) {
        problem = `${lines.length === 0 ? "header" : `row ${lines.length}`}: a quoted value ${
          broken.code === "MissingQuotes" ? "is never closed" : "is followed by other characters"
        }`;
        parser.abort();
      } else if (!isBlank) {
        lines.push(data);
        if (lines.length > ROWS_PER_BATCH_MAX + 1) {
          problem = `the file has more than ${ROWS_PER_BATCH_MAX} rows; split it into smaller files`;
          parser.abort();
        }
      }
    },
  });
  return problem ?? lines;
}

/** The separator under which the first line shows the most column names. */
function chooseSeparator(text: string): string {
  const sample = text.trimStart().slice(0, HEADER_SAMPLE_LENGTH);
  const scored = SEPARATORS.map((separator) => {
    const { data } = Papa.parse<string[]>(sample, {
      delimiter: separator,
      newline: "\n",
      preview: 1,
    });
    const cells = data[0] ?? [];
    return { separator, score: countHeaderNames(cells) * 100 + Math.min(cells.length, 99) };
  });
  return scored.reduce((best, next) => (next.score > best.score ? next : best)).separator;
}
