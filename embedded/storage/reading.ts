/** Reading operators' files, with a clear difference between "missing" and "no permission". */
import fs from "node:fs";

const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR"]);

/**
 * @returns null when `error` means that the file does not exist. @throws Error that says what to do,
 *   otherwise
 */
function absent(file: string, error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (ABSENT.has(code)) return null;
  throw refusal(file, "read", error);
}

function refusal(file: string, what: string, error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException;
  const next = code === "EACCES" ? " Do this as the user to whom it belongs (sudo -u)." : "";
  return new Error(`${file} cannot be ${what} (${code}).${next}`, { cause: error });
}

/**
 * The text of a file, or null when it does not exist. @throws Error that names it and says what to do, when
 * it cannot be read
 */
export function readIfThere(file: string): string | null {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    return absent(file, error);
  }
}

/** True when the file or folder exists. @throws Error as {@link readIfThere} when that cannot be determined */
export function isThere(file: string): boolean {
  try {
    fs.statSync(file);
    return true;
  } catch (error) {
    return absent(file, error) !== null;
  }
}

/** Of files that are not there, and of those on a disk that is only read. */
const NOT_REFUSED: ReadonlySet<string | undefined> = new Set([...ABSENT, "EROFS"]);

/** @throws Error that names a file and says what to do, when it is there and may not be opened so */
export function assertOpens(file: string, flags: "r" | "r+"): void {
  try {
    fs.closeSync(fs.openSync(file, flags));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!NOT_REFUSED.has(code)) throw refusal(file, "opened", error);
  }
}
