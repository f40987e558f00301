/** The plan of a benchmark process: a JSON file named by its first argument. */
import { readFileSync } from "node:fs";

/** Reads the plan of this process. The parent wrote it, so it has the declared type. */
export function readPlan<Plan>(): Plan {
  return JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Plan;
}
