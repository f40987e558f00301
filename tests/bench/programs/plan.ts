/** How the benchmark's processes are told what to do: a JSON file named by their first argument. */
import { readFileSync } from "node:fs";

/** The plan this process was started with. The parent wrote it, so its shape is as declared. */
export function readPlan<Plan>(): Plan {
  return JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Plan;
}
