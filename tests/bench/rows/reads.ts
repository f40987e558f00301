/** Row 12: `embedded/db` with 1,000 and with 1,000,000 documents, reading the same number from the store. */
import { start, temporaryFolder } from "../processes";
import type { ReadsPlan, ReadsResult } from "../programs/reads";
import { progress, ratiosOf, type Row } from "../report";
import { alternate } from "../rounds";
import type { World } from "../world";

const FEW = 1_000;
const MANY = 1_000_000;

async function run(plan: ReadsPlan): Promise<ReadsResult> {
  const program = start("reads", plan);
  return JSON.parse(await program.line("result")) as ReadsResult;
}

async function filled(documents: number): Promise<string> {
  const { dir } = temporaryFolder();
  await run({ folder: dir, documents, isFilling: true });
  return dir;
}

/** Row 12. */
export async function readRows(world: World): Promise<Row[]> {
  progress(`filling ${MANY} documents`);
  const folders = { few: await filled(FEW), many: await filled(MANY) };
  const rounds = await alternate(
    "reads",
    ["many", "few"] as const,
    world.pace.rounds,
    // In the folder where it was filled, because a copy is read completely when it is opened.
    (kind) =>
      run({
        folder: folders[kind],
        documents: kind === "many" ? MANY : FEW,
        isFilling: false,
      }),
  );
  const row = (
    number: string,
    name: string,
    unit: string,
    field: keyof ReadsResult,
    atMost: number,
  ): Row => ({
    number,
    name: `1,000,000 documents: ${name}`,
    unit,
    ours: rounds.map((round) => round.many[field]),
    other: { name: "1,000", values: rounds.map((round) => round.few[field]) },
    ratios: ratiosOf(
      rounds,
      (round) => round.many[field],
      (round) => round.few[field],
    ),
    target: { atMost },
  });
  return [
    row("12a", "one read by an index, from the store", "µs", "readMicros", 1.2),
    row("12b", "a page of 20, from the store", "µs", "pageMicros", 1.2),
    row("12c", "opening", "ms", "openMs", 1.25),
  ];
}
