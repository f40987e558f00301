/** What tells an unchanged file. A write changes the file's times, and a power cut changes the boot id. */
import fs from "node:fs";

/** Which boot of the machine this is; "" where the system does not tell. */
export function bootId(): string {
  try {
    return fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

/** Equal for a file that was not touched since, in the same boot of the machine. */
export function fingerprintOf(file: string): string {
  const stat = fs.statSync(file, { bigint: true });
  return [bootId(), stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join("/");
}
