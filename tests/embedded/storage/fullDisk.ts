/**
 * Fills the store in the folder given as argument until a batch fails; the caller limits the file size.
 * Prints the error and anything else thrown, as JSON.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { LmdbStore } from "../../../embedded/storage/lmdbStore";

const BATCHES_MAX = 1000;
const PER_BATCH = 50;
const VALUE_BYTES = 3000;
/** An unhandled error is reported in the turn in which it is found; wait a few more turns. */
const TURNS_AFTER = 20;

const thrown: string[] = [];
process.on("unhandledRejection", (error) => thrown.push(String(error)));

const store = LmdbStore.open(process.argv[2] ?? "");
let refusal: string | null = null;
for (let batch = 0; batch < BATCHES_MAX && refusal === null; batch++) {
  const writes = Array.from({ length: PER_BATCH }, (_, at) => ({
    key: `key ${batch} ${at}`,
    value: Buffer.alloc(VALUE_BYTES),
  }));
  await store.apply(writes, batch).catch((error: Error) => (refusal = error.message));
}
for (let turn = 0; turn < TURNS_AFTER; turn++) await nextTurn();
process.stdout.write(JSON.stringify({ refusal, thrown }));
await store.close();
