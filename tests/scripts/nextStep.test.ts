/** What operators' commands say of failures, and of sizes. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

interface Operator {
  failureText: (error: unknown) => string;
  sizeText: (bytes: number) => string;
}

async function operator(): Promise<Operator> {
  const file = path.resolve("scripts", "lib", "operator.mjs");
  return (await import(pathToFileURL(file).href)) as Operator;
}

test.each([
  ["Error", "EIO: i/o error, read", /^A disk has failed: .*dmesg.*npm run restore/],
  // LMDB's words, also where a full disk took a part of a write.
  ["Error", "Input/output error", /^Nothing is lost: .*If the disk is full, make room/],
  ["Error", "EFBIG: file too large, write", /^A limit of this process is too low: .*ulimit -f/],
  ["Error", "dev/seed:demo: Error: Worker initialization failure: EMFILE", /^A limit .*ulimit -n/],
  ["Error", "ENOSPC: no space left on device, write", /^The disk is full: .* do this again\.$/],
  ["Error", "EDQUOT: disk quota exceeded, write", /^The disk is full: /],
  ["LmdbError", "MDB: No space left on device", /^The disk is full: /],
  ["ReadOnlyError", "The log takes no more: ENOSPC", /^Nothing is lost: .*start again/],
  ["Error", "read ECONNRESET", /^The server ended meanwhile: do this again\.$/],
  ["Error", "connect ECONNREFUSED 127.0.0.1:3000", /^The server ended meanwhile: /],
  ["DamageError", "Log 3 is damaged", /^Run npm run doctor, which says what to do; /],
  ["Error", "There is no file x: name another one.", /^$/],
])(
  "whoever meets the %s %j is told what to do, where that does not",
  async (name, message, next) => {
    const { failureText } = await operator();
    const text = failureText(Object.assign(new Error(message), { name }));
    expect(text.split("\n")[0]).toBe(message);
    expect(text.split("\n").slice(1).join("\n")).toMatch(next);
  },
);

test("what is thrown need not be an Error", async () => {
  expect((await operator()).failureText("no further")).toBe("no further");
});

test.each([
  [0, "0 KiB"],
  [1, "1 KiB"],
  [1024, "1 KiB"],
  [1024 * 1024, "1.0 MiB"],
  [2.25 * 1024 * 1024, "2.3 MiB"],
])("%d bytes are told as %s", async (bytes, text) => {
  expect((await operator()).sizeText(bytes)).toBe(text);
});
