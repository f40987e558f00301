/**
 * Damages one file of a data folder at a time (flipped bits; overwritten, zeroed and truncated ranges), after
 * a clean close and after a kill, and opens it: either the damage is reported, or all data is as before, also
 * after more writes and another start.
 *
 * `node scripts/run.mjs tests/faults/damage.ts [rounds=200]`
 */
import { randomBytes, randomInt } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { checkStore } from "../../embedded/storage/storeCheck";
import { DamageError } from "../../embedded/storage/orderedStore";
import { accountIds, allAnswers, createAccounts, openBank, transfer, transferKeys } from "./bank";

const TRANSFERS = 400;
const TRANSFERS_AFTER = 40;

const rounds = Number(process.argv[2] ?? 200);
const root = fs.mkdtempSync(path.join(os.tmpdir(), "damage-"));

function copy(from: string, to: string): void {
  fs.cpSync(from, to, {
    recursive: true,
    filter: (file) => !path.basename(file).startsWith("lock"),
  });
}

/** Creates the two original folders; returns them with their data as text. */
async function prepare(): Promise<{ closed: string; killed: string; answers: string }> {
  const live = path.join(root, "live");
  const killed = path.join(root, "killed");
  let db = await openBank(live);
  await createAccounts(db);
  const ids = accountIds(db);
  for (let n = 0; n < TRANSFERS; n++) {
    await transfer(db, ids, `before ${n}`);
    if (n === TRANSFERS / 2) await db.drain();
  }
  const answers = allAnswers(db);
  // Nothing runs between the last commit and this copy, so it is what a kill would leave.
  copy(live, killed);
  await db.close();
  db = await openBank(live);
  if (allAnswers(db) !== answers) throw new Error("the answers changed by closing");
  await db.close();
  return { closed: live, killed, answers };
}

/** Changes a file in one random way; returns a description. */
function damageFile(file: string): string {
  const size = fs.statSync(file).size;
  const at = randomInt(size);
  const kind = randomInt(4);
  if (kind === 0) {
    fs.truncateSync(file, at);
    return `cut at ${at}`;
  }
  const length = kind === 1 ? 1 : Math.min(randomInt(1, 4096), size - at);
  const handle = fs.openSync(file, "r+");
  try {
    const bytes = Buffer.alloc(length);
    if (kind === 1) {
      fs.readSync(handle, bytes, 0, 1, at);
      bytes[0]! ^= 1 << randomInt(8);
    } else if (kind === 2) {
      randomBytes(length).copy(bytes);
    }
    fs.writeSync(handle, bytes, 0, length, at);
  } finally {
    fs.closeSync(handle);
  }
  return `${["", "a bit flipped", "overwritten", "zeroed"][kind]} at ${at}, ${length} bytes`;
}

/** @returns true when the damage was reported, false when it changed nothing. @throws otherwise */
async function isReported(folder: string, answers: string): Promise<boolean> {
  let db;
  try {
    db = await openBank(folder);
  } catch (error) {
    if (error instanceof DamageError) return true;
    throw error;
  }
  try {
    if (allAnswers(db) !== answers) throw new Error("a wrong answer was served");
    const ids = accountIds(db);
    for (let n = 0; n < TRANSFERS_AFTER; n++) await transfer(db, ids, `after ${n}`);
    const later = allAnswers(db);
    await db.close();
    await checkStore(path.join(folder, "store"), true);
    db = await openBank(folder);
    if (allAnswers(db) !== later) throw new Error("a wrong answer was served after more writes");
    if (transferKeys(db).size !== TRANSFERS + TRANSFERS_AFTER) throw new Error("transfers lost");
    return false;
  } finally {
    await db.close();
  }
}

let reported = 0;
const problems: string[] = [];
try {
  const { closed, killed, answers } = await prepare();
  for (let round = 0; round < rounds; round++) {
    const source = round % 2 === 0 ? closed : killed;
    const folder = path.join(root, `round-${round}`);
    copy(source, folder);
    const files = fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      // Without empty files: the log's next segment may have just been created.
      .filter((file) => fs.statSync(file).size > 0);
    const data = files.find((file) => path.basename(file) === "data.mdb")!;
    // Half of the damage is to the store, the rest to any file.
    const file = randomInt(2) === 0 ? data : files[randomInt(files.length)]!;
    const how = `${source === closed ? "closed" : "killed"}: ${path.basename(file)} ${damageFile(file)}`;
    try {
      if (await isReported(folder, answers)) reported++;
    } catch (error) {
      problems.push(`${how}: ${String(error)}`);
      console.log(problems.at(-1));
    }
    fs.rmSync(folder, { recursive: true, force: true });
  }
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}
console.log(
  `${rounds} damaged folders: ${reported} reported, ${rounds - reported - problems.length} ` +
    `harmless (answers as before), ${problems.length} wrong`,
);
process.exit(problems.length === 0 ? 0 : 1);
