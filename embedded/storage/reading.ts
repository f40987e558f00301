/** Reading files named by operators, with a clear difference between "missing" and "no permission". */
import fs from "node:fs";

const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR"]);

/**
 * @returns null when `error` means that the file does not exist. @throws Error that says what to do,
 *   otherwise
 */
function absent(file: string, error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (ABSENT.has(code)) return null;
  const next = code === "EACCES" ? " Do this as the user to whom it belongs (sudo -u)." : "";
  throw new Error(`${file} cannot be read (${code}).${next}`, { cause: error });
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
