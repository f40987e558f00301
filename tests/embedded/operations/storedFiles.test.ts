/** The list of stored files, which may be very long. */
import { expect, test } from "vitest";
import { openMemoryDatabase } from "../../../embedded/db/openDatabase";
import { storedFiles } from "../../../embedded/operations/storedFiles";
import { STORAGE, STORAGE_FILES, SYSTEM_TABLES } from "../../../embedded/runtime/systemTables";
import { mutate } from "../db/support";

test("others go on while it is read, and what they change is not in it", async () => {
  const db = await openMemoryDatabase({ systemSchema: SYSTEM_TABLES });
  await db.applySchema(null);
  const add = (count: number) =>
    mutate(db, (tx) => {
      for (let n = 0; n < count; n++) {
        const storageId = tx.insertValue(STORAGE, { sha256: "", size: 1 });
        tx.insertValue(STORAGE_FILES, { storageId, uuid: `${n}` });
      }
    });
  await add(250);
  const order: string[] = [];
  const tx = db.beginQuery();
  const reading = storedFiles(tx).finally(() => order.push("read"));
  await add(1);
  order.push("added");
  const files = await reading;
  tx.close();
  expect(order).toEqual(["added", "read"]);
  expect(files.map(({ uuid }) => uuid)).toEqual(Array.from({ length: 250 }, (_, n) => `${n}`));
});
