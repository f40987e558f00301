/**
 * The benchmark's own bank (`../functions/bank.ts`) on the embedded backend: the peer's work, nothing more.
 *
 * With `fillUsers` it fills an empty folder, writes the people's ids to `IDS_FILE` in it, and ends.
 * Otherwise it prints `ready PORT`, answers "ledger" like the product's server, and ends with its parent.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { readPlan } from "./plan";
import { serveOwnFunctions, type OwnFunctions } from "./ownFunctions";
import { IDS_FILE, type Answers } from "./serverPlan";

export interface BankPlan extends OwnFunctions {
  readonly fillUsers?: number;
}

const PER_CALL = 500;

const plan = readPlan<BankPlan>();
const server = await serveOwnFunctions(plan);
const { runtime, db } = server.backend;

async function fill(users: number): Promise<string[]> {
  const ids: string[] = [];
  for (let first = 0; first < users; first += PER_CALL) {
    const count = Math.min(PER_CALL, users - first);
    const outcome = await runtime.runInternal("bank:fill", { first: first + 1, count });
    if ("failure" in outcome) throw new Error(outcome.failure.text);
    ids.push(...(JSON.parse(outcome.json) as string[]));
  }
  return ids;
}

if (plan.fillUsers !== undefined) {
  const ids = await fill(plan.fillUsers);
  await server.close();
  writeFileSync(path.join(plan.dataDir, IDS_FILE), JSON.stringify(ids));
  console.log("filled");
  process.exit(0);
}

function ledger(): Answers["ledger"] {
  const tx = db.beginQuery();
  try {
    const source = { type: "FullTableScan", tableName: "accounts", order: "asc" } as const;
    const stream = tx.openStream({ source, operators: [] });
    let sumCents = 0n;
    for (let doc = stream.next(); doc !== null; doc = stream.next()) {
      sumCents += doc.value().balanceCents as bigint;
    }
    return { sumCents: String(sumCents), transfers: tx.count("transfers") };
  } finally {
    tx.close();
  }
}

process.on("message", (question: "ledger") => {
  process.send?.({ question, answer: ledger() });
});
process.on("disconnect", () => process.exit(0));
process.on("SIGTERM", () => void server.close().then(() => process.exit(0)));
console.log(`ready ${server.port}`);
