/** Rules for the code that the linter cannot check. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT, sources, withoutComments } from "../support/sources";

const FILE_LINES_MAX = 300;
/** A longer file gives the reason in its header: `Long because ...`. */
const LONG_REASON = /Long because /;

const all = sources("convex", "src", "embedded", "scripts", "tests");
const product = all.filter((file) => !file.path.startsWith("tests/"));

interface Ban {
  readonly pattern: RegExp;
  readonly instead: string;
  readonly except?: RegExp;
  readonly within?: RegExp;
}

const BANS: readonly Ban[] = [
  { pattern: /\bparseFloat\(/, instead: "parseCents", within: /^(convex|src)\// },
  {
    pattern: /\.toFixed\(/,
    instead: "formatUsd",
    within: /^(convex|src)\//,
    except: /^src\/features\/(marketing|charts)\//,
  },
  { pattern: /\bas any\b|@ts-ignore|@ts-nocheck/, instead: "a real type" },
  {
    pattern: /\b(?:it|test|describe)\.(?:only|skip|todo)\(|\bx(?:it|describe)\(/,
    instead: "a test",
  },
  { pattern: new RegExp("\\b(?:TO" + "DO|FIX" + "ME|XX" + "X|HA" + "CK)\\b"), instead: "doing it" },
  {
    pattern: /\bDate\.now\(|\bnew Date\(\)/,
    instead: "time as an argument",
    within: /^convex\/shared\//,
  },
  { pattern: /\bMath\.random\b/, instead: "crypto", within: /^(convex|embedded)\// },
  {
    pattern: /\bvi\.(?:mock|doMock|resetModules)\(/,
    instead: "vi.spyOn or replaceIn: test files share what they import",
    within: /^tests\/(?!ui\/|support\/withoutServer)/,
  },
  {
    pattern: /^\s+\w+ as \w+,$|\bimport \{.*\w+ as \w+.*\} from "\./,
    instead: "the name itself, or its module's (import * as policies: policies.set)",
    within: /^convex\//,
    except: /^convex\/functions\.ts$/,
  },
  { pattern: /\.waitForTimeout\(/, instead: "waiting for a condition", within: /^tests\// },
  {
    pattern: /\b(?:from|import) "\.{1,2}\/(?:[^"]*\/)?[^"/.]+"/,
    instead: "a file's whole name",
    within: /^embedded\//,
  },
  {
    pattern: /text-(?:green|red|blue|gray|slate|amber|yellow)-\d/,
    instead: "a colour by meaning",
    within: /^src\//,
  },
];

describe("tidy", () => {
  test("files stay short or give a reason", () => {
    const long = all
      .filter((file) => file.text.split("\n").length > FILE_LINES_MAX + 1)
      .filter((file) => !LONG_REASON.test(file.text.slice(0, 2000)))
      .map((file) => `${file.path}: ${file.text.split("\n").length} lines`);
    expect(long).toEqual([]);
  });

  test.each(BANS)("nothing uses $pattern (instead: $instead)", (ban) => {
    const hits = all
      .filter((file) => file.path !== "tests/repo/tidy.test.ts")
      .filter((file) => ban.within?.test(file.path) ?? true)
      .filter((file) => !ban.except?.test(file.path))
      .flatMap((file) =>
        withoutComments(file.text)
          .split("\n")
          .filter((line) => ban.pattern.test(line))
          .map((line) => `${file.path}: ${line.trim()}`),
      );
    expect(hits).toEqual([]);
  });

  test("file names follow one rule: camelCase, PascalCase for components", () => {
    const wrong = product.filter(
      (file) => !/^[A-Za-z][A-Za-z0-9]*(?:\.config)?\.(?:tsx?|mjs)$/.test(path.basename(file.path)),
    );
    expect(wrong.map((file) => file.path)).toEqual([]);
  });

  test("an import's path names one file, also on a disk that ignores the case of names", () => {
    const nameOf = (file: { path: string }) => file.path.replace(/\.\w+$/, "").toLowerCase();
    const names = all.map(nameOf);
    const alike = all.filter((file, index) => names.indexOf(nameOf(file)) !== index);
    expect(alike.map((file) => file.path)).toEqual([]);
  });

  test("no barrels and no default exports where no framework asks for one", () => {
    const frameworks =
      /^(convex\/(auth\.config|crons|http|schema)|tests\/e2e\/support\/globalSetup|tests\/deployment\/vitest\.config|tests\/bench\/functions\/|tests\/embedded\/)/;
    const wrong = all.filter(
      (file) =>
        /(^|\/)index\.tsx?$/.test(file.path) ||
        (/^export default /m.test(file.text) && !frameworks.test(file.path)),
    );
    expect(wrong.map((file) => file.path)).toEqual([]);
  });

  test("raw form elements are used only in the interface kit", () => {
    const wrong = product
      .filter((file) => file.path.startsWith("src/features/") || file.path.startsWith("src/app/"))
      .flatMap((file) =>
        [...withoutComments(file.text).matchAll(/<(button|input|select|textarea)\b/g)].map(
          (match) => `${file.path}: <${match[1]}>`,
        ),
      );
    expect(wrong).toEqual([]);
  });

  test("every source file of convex, embedded and scripts begins with a header comment", () => {
    const wrong = product
      .filter((file) => /^(convex|embedded|scripts)\//.test(file.path))
      .filter((file) => !/^(?:"use node";\s*)?\/\*\*/.test(file.text));
    expect(wrong.map((file) => file.path)).toEqual([]);
  });

  test("the embedded backend's README names each of its files", () => {
    const readme = readFileSync(path.join(ROOT, "embedded/README.md"), "utf8");
    const names = readme.replace(/\{([\w,]+)\}(\w+)/g, (_, starts: string, end: string) =>
      starts
        .split(",")
        .map((start) => start + end)
        .join("`, `"),
    );
    const missing = all
      .filter((file) => file.path.startsWith("embedded/"))
      .map((file) => path.basename(file.path, ".ts"))
      .filter((name) => !names.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });

  test("every export is used by another file that names its own", () => {
    // Convex functions are called by path, validators.ts exports tuples next to their validators, and the scripts
    // load the build of embedded/main.ts.
    const exporting = product.filter(
      (file) =>
        /^(convex\/(model|shared)|embedded|src|scripts)\//.test(file.path) &&
        !["convex/shared/validators.ts", "embedded/main.ts"].includes(file.path),
    );
    const others = all.map(({ path: place, text }) => ({
      place,
      words: new Set(text.match(/\w+/g)),
    }));
    const unused = exporting.flatMap((file) => {
      const module = path.basename(file.path).replace(/\.\w+$/, "");
      const users = others.filter(({ place, words }) => place !== file.path && words.has(module));
      return [
        ...file.text.matchAll(/^export (?:async )?(?:function|const|class|type|interface) (\w+)/gm),
      ]
        .filter(([, name = ""]) => !users.some(({ words }) => words.has(name)))
        .map(([, name]) => `${file.path}: ${name}`);
    });
    expect(unused).toEqual([]);
  });

  test("no file contains a machine's path, and the lock file no download address", () => {
    const machine = new RegExp("(^|[^A-Za-z0-9_.])/(?:wor" + "k|home/[a-z]+|roo" + "t)/", "m");
    const documents = readdirSync(ROOT)
      .filter((name) => /\.(md|json|ts|js|yml|toml)$/.test(name))
      .filter((name) => statSync(path.join(ROOT, name)).isFile())
      .map((name) => ({ path: name, text: readFileSync(path.join(ROOT, name), "utf8") }));
    const wrong = [...all, ...documents].filter((file) => machine.test(file.text));
    expect(wrong.map((file) => file.path)).toEqual([]);
    expect(readFileSync(path.join(ROOT, "package-lock.json"), "utf8")).not.toMatch(
      /"resolved": *"http/,
    );
  });
});
