/**
 * Tells of changes to source files, however an editor saves them: folders are watched, because a watcher of a file ends
 * when another file takes its place (Node's `recursive` has one of each file). chokidar does that too, and would be a
 * package for this alone.
 */
import { readdirSync, watch } from "node:fs";
import path from "node:path";

const TOLD_AFTER_MS = 80;

function* withFoldersBelow(folder) {
  yield folder;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* withFoldersBelow(path.join(folder, entry.name));
  }
}

/** Calls `onChange` soon after anything below the folders has changed. Returns a function that ends it. */
export function watchFolders(roots, onChange) {
  let watchers = [];
  let timer = null;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      watchAll();
      onChange();
    }, TOLD_AFTER_MS);
  };
  /** Folders may have been made, or removed and made again. */
  const watchAll = () => {
    const before = watchers;
    watchers = [];
    try {
      for (const folder of roots.flatMap((root) => [...withFoldersBelow(root)])) {
        watchers.push(watch(folder, changed));
      }
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
      // Just being removed.
      changed();
    }
    for (const watcher of before) watcher.close();
  };
  watchAll();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
