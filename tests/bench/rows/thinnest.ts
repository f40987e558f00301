/** Row 11: the smallest mutation of the engine compared with a minimal server of the same protocol. */
import path from "node:path";
import { readLog } from "../../../embedded/storage/journalRead";
import { describeUse, runLoad, type LoadSample } from "../load";
import { startServer, temporaryFolder } from "../processes";
import type { ThinPlan } from "../programs/thinServer";
import { ratiosOf, type Row } from "../report";
import { alternate } from "../rounds";
import { median } from "../statistics";
import type { World } from "../world";
import { OTHERS, SENDERS } from "./transfers";

/** The smallest mutation that reads and writes; the minimal server copies its result and record sizes. */
async function sampleRename(world: World): Promise<LoadSample> {
  const bank = await world.bank();
  const tokens = await Promise.all(SENDERS.map((number) => bank.tokenOf(number)));
  const server = await bank.startServer();
  const target = { url: server.url, pids: [server.program.pid] };
  const sample = await runLoad(world.pace, target, { kind: "rename", tokens, recipients: OTHERS });
  await server.finish();
  return sample;
}

/** Bytes that one such mutation adds to the log, from a short run. */
async function renameRecordBytes(world: World): Promise<number> {
  const bank = await world.bank();
  const server = await bank.startServer();
  const target = { url: server.url, pids: [server.program.pid] };
  const quick = { warmUpMs: 200, measureMs: 300 };
  const tokens = [await bank.tokenOf(1)];
  const load = { kind: "rename" as const, tokens, recipients: OTHERS };
  const { answered } = await runLoad(quick, target, load);
  const sizes: number[] = [];
  const journalDir = path.join(server.dataDir, "db", "journal");
  readLog(journalDir, 0, (record) => sizes.push(record.length));
  await server.finish();
  return Math.round(median(sizes.slice(-answered)));
}

async function sampleThin(world: World, recordBytes: number): Promise<LoadSample> {
  const bank = await world.bank();
  const tokens = await Promise.all(SENDERS.map((number) => bank.tokenOf(number)));
  const folder = temporaryFolder();
  const plan: ThinPlan = {
    journalDir: path.join(folder.dir, "journal"),
    recordBytes,
    answerJson: "null",
  };
  const server = startServer("thinServer", plan);
  const url = `http://127.0.0.1:${await server.line("ready")}`;
  const target = { url, pids: [server.pid] };
  const sample = await runLoad(world.pace, target, { kind: "rename", tokens, recipients: OTHERS });
  await server.stop("SIGKILL");
  folder.remove();
  return sample;
}

/** Row 11. */
export async function thinnestRows(world: World): Promise<Row[]> {
  const recordBytes = await renameRecordBytes(world);
  const rounds = await alternate(
    "thinnest",
    ["ours", "thin"] as const,
    world.pace.rounds,
    (kind) => (kind === "ours" ? sampleRename(world) : sampleThin(world, recordBytes)),
  );
  const figures = (kind: "ours" | "thin"): number[] => rounds.map((round) => round[kind].perSecond);
  return [
    {
      number: "11",
      name: "durable mutations beside the thinnest server",
      unit: "mutations/s",
      target: { atLeast: 0.5 },
      ours: figures("ours"),
      other: { name: "thinnest", values: figures("thin") },
      ratios: ratiosOf(
        rounds,
        (round) => round.ours.perSecond,
        (round) => round.thin.perSecond,
      ),
      notes: (["ours", "thin"] as const).map((kind) =>
        describeUse(
          kind,
          rounds.map((round) => round[kind]),
        ),
      ),
    },
  ];
}
