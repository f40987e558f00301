/**
 * Privacy canaries: forty marked values go through every flow, and each may appear only where it belongs:
 * not in the log, not in responses to others, not in refusals, not in metrics, not in files next to the
 * database. Secrets may appear in no file, archive or backup at all.
 */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ZipReader } from "../../embedded/storage/zipReader";
import { publicFunctions } from "../conformance/publicFunctions";
import { DEMO, enter, openBank, type Bank, type Visitor } from "./bank";
import { canaries, found, members, staff, strangers, type Scene } from "./canaryFlows";
import { as, call, post, someId, wireArgs } from "./wireCalls";

const TIMEOUT_MS = 120_000;
const SCRIPTS = path.resolve(import.meta.dirname, "..", "..", "scripts");
const functions = await publicFunctions();

let bank: Bank;
let root: Visitor;
let maya: Visitor;
let omar: Visitor;

beforeAll(async () => {
  bank = await openBank();
  root = await enter(bank, DEMO.admin);
  maya = await enter(bank, DEMO.maya);
  omar = await enter(bank, DEMO.omar);
}, TIMEOUT_MS);

afterAll(() => bank.close());

/** The results of all queries that the person may call, as one text. */
async function everythingFor(person: Visitor | undefined, ...guards: string[]): Promise<string> {
  const texts: string[] = [];
  for (const built of functions.filter(({ guard }) => guards.includes(guard ?? ""))) {
    if (built.kind !== "query") continue;
    const args: Record<string, unknown> = wireArgs(bank, built);
    if ("userId" in args) args.userId = someId(bank, "users");
    if ("paginationOpts" in args) args.paginationOpts = { numItems: 100, cursor: null };
    const headers = person === undefined ? {} : as(person);
    texts.push((await post(bank, "query", call(built.path, args), headers)).text);
  }
  return texts.join("\n");
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Runs one of the operators' commands while the server runs. @throws Error when it fails */
const command = (script: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [path.join(SCRIPTS, script), ...args]);

test("forty marked values appear only where they belong", async () => {
  const scene: Scene = { bank, root, maya, answers: [] };
  const { answers } = scene;
  await strangers(scene);
  await members(scene);
  await staff(scene);
  expect(canaries.size).toBeGreaterThanOrEqual(40);

  const log = bank.logLines.join("\n");
  expect(found(log, () => true)).toEqual([]);
  // Refusals repeat nothing of what was sent, and no response contains what nobody may read.
  const refusals = answers.filter((text) => text.includes('"status":"error"')).join("\n");
  expect(refusals).not.toBe("");
  expect(found(refusals, () => true)).toEqual([]);
  expect(found(answers.join("\n"), (audience) => audience === "nobody")).toEqual([]);

  const ofStrangers = await everythingFor(undefined, "public", "session", "member", "admin");
  expect(found(ofStrangers, () => true)).toEqual([]);
  const ofAnother = await everythingFor(omar, "public", "session", "member");
  expect(found(ofAnother, () => true)).toEqual([]);
  const ofOwner = await everythingFor(maya, "public", "session", "member");
  expect(found(ofOwner, (audience) => audience !== "owner")).toEqual([]);
  expect(found(ofOwner, (audience) => audience === "owner").length).toBeGreaterThan(3);
  // Audit log, outbox, inbox, lists: nothing that staff see contains a secret.
  const ofStaff = await everythingFor(root, "admin");
  expect(found(ofStaff, (audience) => audience === "nobody")).toEqual([]);
  expect(found(ofStaff, (audience) => audience === "staff").length).toBeGreaterThan(3);
});

const SECRETS = /Password|Code|Token|Key|Refresh|Flow|CalledBy|ExtraField|Broken|Search|Address/;
/** Secrets in a copy of the data; there must be none, as secrets are never stored. */
const secretsIn = (text: string): string[] =>
  found(text, () => true).filter((value) => SECRETS.test(value) && !value.includes("RequestKey"));

test("metrics contain no personal data", async () => {
  for (const page of ["/metrics", "/healthz"]) {
    const answer = await fetch(bank.origin + page);
    const headers = JSON.stringify([...answer.headers]);
    expect([page, found(headers + (await answer.text()), () => true)]).toEqual([page, []]);
  }
});

test(
  "an exported archive and a backup contain no secret",
  async () => {
    const folder = path.join(bank.dataDir, "..", `${path.basename(bank.dataDir)}-copies`);
    mkdirSync(folder);
    try {
      const archive = path.join(folder, "bank.zip");
      await command("export.mjs", "--to", archive, "--data", bank.dataDir);
      const zip = await ZipReader.open(archive);
      let exported = "";
      for (const name of zip.names) {
        for await (const chunk of zip.read(name)) exported += chunk.toString("latin1");
      }
      await zip.close();
      expect(secretsIn(exported)).toEqual([]);
      expect(found(exported, (audience) => audience !== "nobody").length).toBeGreaterThan(20);
      await command("backup.mjs", "--to", path.join(folder, "backup"), "--data", bank.dataDir);
      const files = filesBelow(folder);
      expect(files.length).toBeGreaterThan(2);
      for (const file of files) {
        expect([file, secretsIn(readFileSync(file, "latin1"))]).toEqual([file, []]);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  TIMEOUT_MS,
);

test("on disk the marked values are in the database only, and secrets not even there", () => {
  const database = path.join(bank.dataDir, "db");
  const stored = new Set<string>();
  for (const file of filesBelow(bank.dataDir)) {
    const text = readFileSync(file, "latin1");
    const wrong = file.startsWith(database) ? secretsIn(text) : found(text, () => true);
    expect([file, wrong]).toEqual([file, []]);
    for (const value of found(text, () => true)) stored.add(value);
  }
  expect(stored.size).toBeGreaterThan(20);
});
