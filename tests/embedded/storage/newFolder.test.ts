/** What a first start makes: for its owner alone, and there after a power cut. */
import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadSecrets, makeFolder } from "../../../embedded/main";
import { ADMIN_KEY, startTestServer } from "../server/testServer";
import { temporaryDir } from "../../support/temporaryDir";

const permissionsOf = (file: string) => (fs.statSync(file).mode & 0o777).toString(8);

test("every folder and file of the data is its owner's alone, also below one that others may read", async () => {
  const dataDir = temporaryDir();
  fs.chmodSync(dataDir, 0o755);
  const { origin } = await startTestServer({ dataDir });
  const url = await fetch(`${origin}/api/mutation`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Convex ${ADMIN_KEY}` },
    body: JSON.stringify({ path: "files:uploadUrl", args: {} }),
  });
  await fetch(((await url.json()) as { value: string }).value, { method: "POST", body: "bytes" });
  for (const folder of ["db", "db/store", "db/journal", "files"]) {
    expect([folder, permissionsOf(path.join(dataDir, folder))]).toEqual([folder, "700"]);
  }
  const files = path.join(dataDir, "files");
  expect(fs.readdirSync(files).map((name) => permissionsOf(path.join(files, name)))).toEqual([
    "600",
  ]);
  await loadSecrets(dataDir, []);
  expect(permissionsOf(path.join(dataDir, "keys.json"))).toBe("600");
});

test("a file in a folder's place is told from a link to a disk that is not there", () => {
  const above = temporaryDir();
  const [file, link] = [path.join(above, "file"), path.join(above, "link")];
  fs.writeFileSync(file, "");
  fs.symlinkSync(path.join(above, "unmounted"), link);
  expect(() => makeFolder(file)).toThrow("That is a file: name another one.");
  expect(() => makeFolder(path.join(link, "db"))).toThrow(
    `The folder ${link} cannot be made (EEXIST). That is a link, and there is nothing where it leads: mount that disk, or name another folder.`,
  );
});

test.each([
  ["EIO", false],
  ["ENOSPC", false],
  ["EINVAL", true],
  ["EACCES", true],
])("a folder whose parent's sync fails with %s is made: %s", (code, isMade) => {
  const folder = path.join(temporaryDir(), "data");
  const sync = vi.spyOn(fs, "fsyncSync").mockImplementation(() => {
    throw Object.assign(new Error(`${code}: refused, fsync`), { code });
  });
  onTestFinished(() => sync.mockRestore());
  const made = expect(() => makeFolder(folder));
  if (isMade) made.not.toThrow();
  else
    made.toThrow(`The folder ${folder} cannot be brought to the disk (${code}: refused, fsync).`);
});

test.skipIf(process.platform !== "linux")(
  "the names of new folders and of the keys are durable before anything is acknowledged",
  async () => {
    const above = temporaryDir();
    const dataDir = path.join(above, "new", "data");
    const { fsyncSync } = fs;
    const synced: string[] = [];
    const sync = vi.spyOn(fs, "fsyncSync").mockImplementation((handle) => {
      synced.push(fs.readlinkSync(`/proc/self/fd/${handle}`));
      fsyncSync(handle);
    });
    onTestFinished(() => sync.mockRestore());
    await loadSecrets(dataDir, []);
    expect(synced).toEqual(expect.arrayContaining([above, path.dirname(dataDir), dataDir]));
    synced.length = 0;
    await startTestServer({ dataDir });
    expect(synced).toEqual(expect.arrayContaining([dataDir, path.join(dataDir, "db")]));
  },
);
