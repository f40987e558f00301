/** A table that never had a document for longer than one commit must cause no error. */
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../../embedded/db/openDatabase";
import { buildApplierProgram } from "../../support/applierProgram";
import { mutate, schema, table } from "./support";
import { temporaryDir } from "../../support/temporaryDir";

const NOTES = { ...schema(table("notes")), schemaValidation: false };
let program = "";
beforeAll(async () => {
  program = await buildApplierProgram();
});
afterAll(() => fs.rmSync(program, { force: true }));

let folder = "";
beforeEach(() => {
  folder = temporaryDir();
});

test.each([["this thread"], ["a thread of its own"]])(
  "a document that comes and goes in one commit, the only one of its table, is put into the store by %s",
  async (where) => {
    const options = where === "this thread" ? {} : { applierProgram: program };
    const { db } = await openDatabase(folder, options);
    await db.applySchema(NOTES);
    // The first commit declares the table in the log, the others find it known; the last is only in the log.
    for (let n = 0; n < 3; n++) {
      await mutate(db, (tx) => {
        tx.remove(tx.insertValue("scratch", { n }));
        tx.insertValue("notes", { n });
      });
      if (n < 2) await db.drain();
    }
    fs.cpSync(folder, `${folder}-killed`, {
      recursive: true,
      filter: (file) => !path.basename(file).startsWith("lock"),
    });
    await db.close();
    const { db: again } = await openDatabase(`${folder}-killed`, options);
    await again.drain();
    expect(again.isReadOnly).toBeNull();
    await again.close();
    fs.rmSync(`${folder}-killed`, { recursive: true });
  },
);
