/**
 * Who may import whom. One table lists the modules; the test scans every import, so that new files are
 * covered automatically.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { importsOf, sources, withoutComments } from "../support/sources";

interface Module {
  /** Files of the module. A file belongs to the first module of the list that matches. */
  readonly files: RegExp;
  /** Repository paths it may import (besides itself). */
  readonly may: readonly RegExp[];
  /** Packages it must not import. */
  readonly notPackages?: RegExp;
}

const SHARED = /^convex\/shared\//;
const GENERATED = /^convex\/_generated\//;
const MODEL = /^convex\/model\//;
const SRC_BASE = [/^src\/lib\//, SHARED, /^src\/styles\//];
const EMBEDDED_LAYERS = ["storage", "db", "runtime", "operations", "sync", "server"];

const MODULES: Record<string, Module> = {
  shared: { files: SHARED, may: [], notPackages: /^(?!zod$|convex\/values$)/ },
  model: { files: MODEL, may: [SHARED, GENERATED], notPackages: /^react/ },
  functions: { files: /^convex\/functions\.ts$/, may: [SHARED, MODEL, GENERATED] },
  schema: {
    files: /^convex\/schema\.ts$/,
    may: [/^convex\/shared\/(validators|answers|moneyChanges|personFields)\.ts$/],
  },
  convex: {
    files: /^convex\//,
    may: [/^convex\/functions\.ts$/, MODEL, SHARED, GENERATED, /^convex\/auth\.ts$/],
  },
  lib: { files: /^src\/lib\//, may: [SHARED, GENERATED] },
  hooks: { files: /^src\/hooks\//, may: [...SRC_BASE] },
  components: { files: /^src\/components\//, may: [/^src\/hooks\//, ...SRC_BASE] },
  features: {
    files: /^src\/features\//,
    may: [/^src\/components\//, /^src\/hooks\//, GENERATED, ...SRC_BASE],
  },
  app: { files: /^src\//, may: [/^src\//, SHARED, GENERATED] },
  tests: { files: /^tests\//, may: [/^/] },
  scripts: {
    files: /^scripts\//,
    may: [/^scripts\//, /^src\//, /^embedded\//, /^tests\//, SHARED],
  },
  ...Object.fromEntries(
    EMBEDDED_LAYERS.map((layer, index) => [
      `embedded/${layer}`,
      {
        files: new RegExp(`^embedded/${layer}/`),
        may: EMBEDDED_LAYERS.slice(0, index).map((lower) => new RegExp(`^embedded/${lower}/`)),
      },
    ]),
  ),
  embedded: { files: /^embedded\//, may: [/^embedded\//] },
};

const ALIASES: readonly [RegExp, string][] = [
  [/^#shared\//, "convex/shared/"],
  [/^#api$/, "convex/_generated/api"],
  [/^#data$/, "convex/_generated/dataModel"],
];

/** Repository path of an import, or undefined for a package. */
function target(from: string, specifier: string): string | undefined {
  for (const [alias, replacement] of ALIASES) {
    if (alias.test(specifier)) return specifier.replace(alias, replacement);
  }
  if (!specifier.startsWith(".")) return undefined;
  return path.posix.join(path.posix.dirname(from), specifier.split("?")[0] ?? specifier);
}

const withExtension = (file: string): string => (/\.\w+$/.test(file) ? file : `${file}.ts`);
const feature = (file: string): string | undefined => /^src\/features\/([^/]+)\//.exec(file)?.[1];

const files = sources("convex", "src", "embedded", "scripts", "tests");

describe("module boundaries", () => {
  test("every import is allowed for its module", () => {
    const wrong: string[] = [];
    for (const file of files) {
      const module = Object.values(MODULES).find((candidate) => candidate.files.test(file.path));
      if (!module) {
        wrong.push(`${file.path}: belongs to no module`);
        continue;
      }
      for (const specifier of importsOf(withoutComments(file.text))) {
        const imported = target(file.path, specifier);
        if (imported === undefined) {
          if (module.notPackages?.test(specifier)) wrong.push(`${file.path} imports ${specifier}`);
          continue;
        }
        const repoPath = withExtension(imported);
        const isAllowed =
          module.files.test(repoPath) || module.may.some((allowed) => allowed.test(repoPath));
        if (!isAllowed) wrong.push(`${file.path} imports ${imported}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("a feature never imports another feature", () => {
    const wrong = files.flatMap((file) => {
      const own = feature(file.path);
      if (own === undefined) return [];
      return importsOf(withoutComments(file.text))
        .map((specifier) => target(file.path, specifier))
        .filter((imported) => imported !== undefined && (feature(`${imported}/`) ?? own) !== own)
        .map((imported) => `${file.path} imports ${imported}`);
    });
    expect(wrong).toEqual([]);
  });

  test("function modules do not import each other and never touch the database", () => {
    const isFunctionModule = (file: string): boolean =>
      /^convex\/((admin|dev)\/)?[^/]+\.ts$/.test(file) &&
      !/^convex\/(functions|schema|auth|auth\.config|http|crons)\.ts$/.test(file);
    const modules = files.filter((file) => isFunctionModule(file.path));
    const wrong = modules.flatMap((file) => {
      const code = withoutComments(file.text);
      const modulesImported = importsOf(code)
        .map((specifier) => target(file.path, specifier))
        .filter((imported) => imported !== undefined && isFunctionModule(withExtension(imported)))
        .map((imported) => `${file.path} imports ${imported}`);
      return /\bctx\.db\b/.test(code)
        ? [...modulesImported, `${file.path} uses ctx.db`]
        : modulesImported;
    });
    expect(wrong).toEqual([]);
  });

  test("nothing that serves real people imports the demo data", () => {
    const isDev = (file: string): boolean => /^convex\/(dev|model\/dev)\//.test(file);
    const wrong = files
      .filter((file) => file.path.startsWith("convex/") && !isDev(file.path))
      .flatMap((file) =>
        importsOf(withoutComments(file.text))
          .map((specifier) => target(file.path, specifier))
          .filter((imported) => imported !== undefined && isDev(imported))
          .map((imported) => `${file.path} imports ${imported}`),
      );
    expect(wrong).toEqual([]);
  });

  test("convex/README.md names every file of the model", () => {
    const readme = readFileSync("convex/README.md", "utf8");
    const missing = files
      .flatMap(({ path: file }) => /^convex\/model\/(\w+)\.ts$/.exec(file)?.[1] ?? [])
      .filter((name) => !readme.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });

  test("only model/ledger writes money", () => {
    const tables =
      /\bdb\s*\.\s*(?:insert|patch|replace|delete)\(\s*"(?:journals|postings|transactions)"/;
    const wrong = files
      .filter((file) => file.path.startsWith("convex/") && !/\/model\/ledger/.test(file.path))
      .filter(
        (file) =>
          tables.test(withoutComments(file.text)) ||
          /patch\([^;]*\b(?:balanceCents|availableCents)\s*[:,]/.test(withoutComments(file.text)),
      )
      .map((file) => file.path);
    expect(wrong).toEqual([]);
  });

  test("the embedded backend does not depend on the bank", () => {
    const banking = /\b(bank|ledger|transfer(?!-?Encod)|balance|cents|deposit|member)s?\b/i;
    const wrong = files
      .filter((file) => file.path.startsWith("embedded/"))
      .flatMap((file) =>
        file.text
          .split("\n")
          .map((line, index) => ({ line, at: `${file.path}:${index + 1}` }))
          .filter(({ line }) => banking.test(line))
          .map(({ line, at }) => `${at} ${line.trim()}`),
      );
    expect(wrong).toEqual([]);
  });
});
