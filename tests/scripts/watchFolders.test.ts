/** What makes `npm run dev` start the backend again. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { PATIENCE } from "../support/patience";
import { ROOT } from "../support/sources";
import { temporaryDir } from "../support/temporaryDir";

type WatchFolders = (roots: string[], onChange: () => void) => () => void;
const MODULE = path.join(ROOT, "scripts", "lib", "watchFolders.mjs");

/** Watches a folder with one file in a folder of its own; `isTold` waits for what `change` causes. */
async function watchedFile() {
  const { watchFolders } = (await import(pathToFileURL(MODULE).href)) as {
    watchFolders: WatchFolders;
  };
  const root = temporaryDir();
  const file = path.join(root, "model", "ledger.ts");
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, "0");
  const onChange = vi.fn();
  onTestFinished(watchFolders([root], onChange));
  const isTold = async (change: () => void) => {
    onChange.mockClear();
    change();
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), PATIENCE);
  };
  return { root, file, isTold };
}

test.each<[how: string, save: (file: string, text: string) => void]>([
  ["in place", (file, text) => fs.writeFileSync(file, text)],
  [
    "as a new file in its place",
    (file, text) => {
      fs.writeFileSync(`${file}.new`, text);
      fs.renameSync(`${file}.new`, file);
    },
  ],
  [
    "anew, with the old one kept beside it for a moment",
    (file, text) => {
      fs.renameSync(file, `${file}~`);
      fs.writeFileSync(file, text);
      fs.rmSync(`${file}~`);
    },
  ],
])("each time a file is saved %s is told", async (_how, save) => {
  const { file, isTold } = await watchedFile();
  for (const text of ["1", "2", "3"]) await isTold(() => save(file, text));
});

test("changes in folders that were made, or removed and made again, are told", async () => {
  const { root, file, isTold } = await watchedFile();
  const model = path.dirname(file);
  await isTold(() => fs.mkdirSync(path.join(root, "new", "er"), { recursive: true }));
  await isTold(() => fs.writeFileSync(path.join(root, "new", "er", "file.ts"), "1"));
  await isTold(() => fs.rmSync(model, { recursive: true }));
  await isTold(() => fs.mkdirSync(model));
  await isTold(() => fs.writeFileSync(file, "1"));
  await isTold(() => fs.writeFileSync(file, "2"));
});
