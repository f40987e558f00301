/** The repository's own source files as text, for the tests that judge the code itself. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "..", "..");

interface SourceFile {
  /** Path from the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const SKIPPED = new Set(["node_modules", "_generated", "dist", ".data", "test-results"]);

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (SKIPPED.has(entry.name)) continue;
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(full);
    else yield full;
  }
}

/** All TypeScript sources below the given top-level folders, and the scripts that Node runs as they are. */
export function sources(...folders: string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    [...walk(path.join(ROOT, folder))]
      .filter((file) => /\.(?:tsx?|mjs)$/.test(file))
      .map((file) => ({
        path: path.relative(ROOT, file).split(path.sep).join("/"),
        text: readFileSync(file, "utf8"),
      })),
  );
}

/** Module specifiers that a file imports or re-exports, static and dynamic. */
export function importsOf(text: string): string[] {
  const pattern = /(?:from\s+|import\s*\(\s*|import\s+)["']([^"']+)["']/g;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}

/** Source text without comments, for searches in code only. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[^:"'`])\/\/[^\n]*/g, "$1");
}
