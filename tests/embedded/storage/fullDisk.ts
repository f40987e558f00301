/**
 * Fills the store in the folder that is its argument until a batch is refused; its caller limits the size
 * of files. Prints what the refusal said and what else was thrown, as JSON.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { LmdbStore } from "../../../embedded/storage/lmdbStore";

const BATCHES_MAX = 1000;
const PER_BATCH = 50;
const VALUE_BYTES = 3000;
/** An error nobody took is reported within the turn in which it is found; these are a few more. */
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
