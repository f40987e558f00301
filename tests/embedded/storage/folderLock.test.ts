import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  FolderInUseError,
  lockFolder,
  lockFolderSoon,
  lockHolder,
} from "../../../embedded/storage/folderLock";
import { PATIENCE } from "../../support/patience";
import { temporaryDir } from "../../support/temporaryDir";

let folder = "";
beforeEach(() => {
  folder = temporaryDir();
});

describe("the lock of a folder", () => {
  test("a second taker is refused, also in the same process, until it is given up", () => {
    const unlock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(FolderInUseError);
    unlock();
    lockFolder(folder)();
  });

  test("whoever gives up a lock that was removed leaves the next holder's in place", () => {
    const unlock = lockFolder(folder);
    fs.rmSync(path.join(folder, "lock"));
    const unlockNext = lockFolder(folder);
    unlock();
    expect(() => lockFolder(folder)).toThrow(FolderInUseError);
    unlockNext();
    lockFolder(folder)();
  });

  test("a second taker is refused, too, where the system does not tell which boot this is", () => {
    const { readFileSync } = fs;
    const read = vi.spyOn(fs, "readFileSync").mockImplementation((file, ...how) => {
      if (String(file).endsWith("boot_id")) throw new Error(`ENOENT: open '${String(file)}'`);
      return readFileSync(file, ...how);
    });
    onTestFinished(() => read.mockRestore());
    const unlock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(FolderInUseError);
    unlock();
    lockFolder(folder)();
  });

  test.each(["EACCES", "EPERM", "EROFS"])("one that takes no files (%s) is named", (code) => {
    const write = vi.spyOn(fs, "writeFileSync").mockImplementation(() => {
      throw Object.assign(new Error(`${code}: open '${folder}/lock.draft'`), { code });
    });
    onTestFinished(() => write.mockRestore());
    const sentence = `The data folder ${folder} cannot be written (${code}). Make it writable`;
    expect(() => lockFolder(folder)).toThrow(sentence);
  });

  test("one of another user is left alone: root's files in it would shut its server out", () => {
    const { statSync } = fs;
    const ofAnother = (file: fs.PathLike) => {
      const stat = statSync(file);
      if (file === folder) stat.uid += 1;
      return stat;
    };
    const stat = vi.spyOn(fs, "statSync").mockImplementation(ofAnother);
    onTestFinished(() => stat.mockRestore());
    expect(() => lockFolder(folder)).toThrow("Do this as that user (sudo -u)");
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  test("a taker that waits gets the lock once it is given up", async () => {
    const unlock = lockFolder(folder);
    await expect(lockFolderSoon(folder, 0)).rejects.toThrow(FolderInUseError);
    const waiting = lockFolderSoon(folder, 60_000);
    unlock();
    (await waiting)();
  });

  test("a lock whose holder is dead is taken over", () => {
    fs.writeFileSync(
      path.join(folder, "lock"),
      JSON.stringify({ pid: 1, started: "another boot/1" }),
    );
    lockFolder(folder)();
    fs.writeFileSync(path.join(folder, "lock"), "");
    lockFolder(folder)();
  });

  test.skipIf(process.platform !== "linux")(
    "a holder that has ended holds nothing, though its parent has not noticed",
    async () => {
      const unlock = lockFolder(folder);
      const file = path.join(folder, "lock");
      const held = JSON.parse(fs.readFileSync(file, "utf8")) as { started: string };
      unlock();
      // The parent becomes a program that does not look after its children; then its child ends.
      const script = "exec 3<&0; read line <&3 & echo $!; exec sleep 600";
      const parent = spawn("sh", ["-c", script]);
      onTestFinished(() => void parent.kill());
      const [told] = (await once(parent.stdout, "data")) as [Buffer];
      const pid = Number(told);
      const stat = (of: number | undefined) =>
        fs.readFileSync(`/proc/${of}/stat`, "utf8").split(" ");
      await vi.waitFor(() => expect(stat(parent.pid)[1]).toBe("(sleep)"), PATIENCE);
      parent.stdin.write("\n");
      await vi.waitFor(() => expect(stat(pid)[2]).toBe("Z"), PATIENCE);
      const started = `${held.started.split("/")[0]}/${stat(pid)[21]}`;
      fs.writeFileSync(file, JSON.stringify({ ...held, pid, started }));
      expect(lockHolder(folder)).toBeNull();
      lockFolder(folder)();
    },
  );

  test("a lock that another process took over meanwhile stays its own", () => {
    const file = path.join(folder, "lock");
    const unlock = lockFolder(folder);
    const theirs = fs.readFileSync(file, "utf8");
    fs.writeFileSync(file, JSON.stringify({ pid: 1, started: "another boot/1" }));
    const { renameSync } = fs;
    const rename = vi.spyOn(fs, "renameSync").mockImplementationOnce((from, to) => {
      fs.writeFileSync(file, theirs);
      renameSync(from, to);
    });
    onTestFinished(() => rename.mockRestore());
    expect(() => lockFolder(folder)).toThrow(FolderInUseError);
    expect(fs.readFileSync(file, "utf8")).toBe(theirs);
    unlock();
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  describe("of a process in another container", () => {
    const lockFile = () => path.join(folder, "lock");
    const note = () => JSON.parse(fs.readFileSync(lockFile(), "utf8")) as { started: string };
    const write = (fields: object) => fs.writeFileSync(lockFile(), JSON.stringify(fields));
    /** A lock as written in another container: its process id and namespace have no meaning here. */
    const elsewhere = (fields: object) =>
      write({ ...note(), pid: 1, namespace: "pid:[1]", ...fields });

    test("is held while that process lives, and taken over as soon as it is dead", () => {
      const unlock = lockFolder(folder);
      elsewhere({});
      expect(() => lockFolder(folder)).toThrow(/^Another container is using the data folder/);
      expect(lockHolder(folder)).toEqual({ pid: 1, isElsewhere: true });
      const held = fs.readFileSync(lockFile());
      unlock();
      fs.writeFileSync(lockFile(), held);
      expect(lockHolder(folder)).toBeNull();
      lockFolder(folder)();
      expect(fs.readdirSync(folder)).toEqual([]);
    });

    test("is held when its life cannot be seen, with a word about what to do", () => {
      const unlock = lockFolder(folder);
      elsewhere({ socket: null });
      expect(() => lockFolder(folder)).toThrow(/stop all containers .* then remove .*lock\.$/);
      elsewhere({ socket: null, started: "another boot/1" });
      lockFolder(folder)();
      unlock();
    });

    /** Calls `onAsk` whenever somebody asks whether a holder is in another container, before the answer. */
    function whenAsked(onAsk: (count: number) => void): void {
      const { readlinkSync } = fs;
      let count = 0;
      const read = vi.spyOn(fs, "readlinkSync").mockImplementation((file) => {
        onAsk((count += 1));
        return readlinkSync(file);
      });
      onTestFinished(() => read.mockRestore());
    }

    /** A dead holder's lock in place of the one of a live one, which is returned. */
    function deadInPlaceOfAlive(): string {
      elsewhere({});
      const alive = fs.readFileSync(lockFile(), "utf8");
      elsewhere({ socket: "gone.socket" });
      return alive;
    }

    test("is not touched when it was taken over while somebody asked after a dead holder", () => {
      const unlock = lockFolder(folder);
      const alive = deadInPlaceOfAlive();
      const rename = vi.spyOn(fs, "renameSync");
      onTestFinished(() => rename.mockRestore());
      // The first time is for the new lock.
      whenAsked((count) => {
        if (count === 2) fs.writeFileSync(lockFile(), alive);
      });
      expect(() => lockFolder(folder)).toThrow(/^Another container is using the data folder/);
      expect(rename).not.toHaveBeenCalled();
      unlock();
    });

    test("is not away, for a third to take the folder, while its holder is asked after", () => {
      const unlock = lockFolder(folder);
      const alive = deadInPlaceOfAlive();
      const { renameSync } = fs;
      const rename = vi.spyOn(fs, "renameSync").mockImplementationOnce((from, to) => {
        fs.writeFileSync(lockFile(), alive);
        renameSync(from, to);
      });
      onTestFinished(() => rename.mockRestore());
      const isThere: boolean[] = [];
      whenAsked(() => isThere.push(fs.existsSync(lockFile())));
      expect(() => lockFolder(folder)).toThrow(/^Another container is using the data folder/);
      expect(rename).toHaveBeenCalledOnce();
      expect(isThere).not.toContain(false);
      unlock();
    });

    test("is held until a kill ends it, however long the folder's path is", async () => {
      const deep = path.join(folder, "a".repeat(120), "b".repeat(120));
      const unlock = lockFolder(deep);
      const file = path.join(deep, "lock");
      const held = JSON.parse(fs.readFileSync(file, "utf8")) as object;
      fs.writeFileSync(file, JSON.stringify({ ...held, namespace: "pid:[1]" }));
      expect(() => lockFolder(deep)).toThrow(/^Another container is using the data folder/);

      const script =
        'require("net").createServer().listen("./its.socket", () => console.log("up"))';
      const holder = spawn(process.execPath, ["-e", script], { cwd: deep });
      await once(holder.stdout, "data");
      fs.writeFileSync(
        file,
        JSON.stringify({ ...held, namespace: "pid:[1]", socket: "its.socket" }),
      );
      expect(() => lockFolder(deep)).toThrow(/^Another container is using the data folder/);
      holder.kill("SIGKILL");
      await once(holder, "exit");
      lockFolder(deep)();
      expect(fs.existsSync(path.join(deep, "its.socket"))).toBe(false);
      unlock();
    });
  });
});
