/** Looking at files that operators name, and telling "not there" from "not for this user". */
import fs from "node:fs";

const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR"]);

/** @returns null when `error` says that there is no such file. @throws Error that says what to do, when it is another */
function absent(file: string, error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (ABSENT.has(code)) return null;
  const next = code === "EACCES" ? " Do this as the user to whom it belongs (sudo -u)." : "";
  throw new Error(`${file} cannot be read (${code}).${next}`, { cause: error });
}

/** The text of a file, or null without one. @throws Error that names it, and says what to do, when it cannot be read */
export function readIfThere(file: string): string | null {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    return absent(file, error);
  }
}

/** True when there is such a file or folder. @throws Error as {@link readIfThere} when that cannot be seen */
export function isThere(file: string): boolean {
  try {
    fs.statSync(file);
    return true;
  } catch (error) {
    return absent(file, error) !== null;
  }
}
