/** Row 10: JavaScript before the first view, as counted by the build's own size check. */
import { spawnSync } from "node:child_process";
import { ROOT } from "../processes";
import type { Row } from "../report";

const PAGE = /^(\/\S*)\s+\d+\s+([\d.]+)\s+(\d+)/;

export async function sizeRows(): Promise<Row[]> {
  const { stdout } = spawnSync(process.execPath, ["scripts/checkSizes.mjs"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return stdout.split("\n").flatMap((line) => {
    const match = PAGE.exec(line);
    if (match === null) return [];
    const kib = Number(match[2]);
    const name = `JavaScript before the first view of ${match[1]}`;
    const target = { atMost: Number(match[3]) };
    return [{ number: "10", name, unit: "KiB gzip", ours: [kib], ratios: [kib], target }];
  });
}
