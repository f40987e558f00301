/** Parses an strace recording into the changes to the files of one folder, in order. */
import fs from "node:fs";
import path from "node:path";

export type DiskEvent =
  /** A name is created, renamed or removed. */
  | { readonly kind: "create"; readonly path: string; readonly file: number }
  | { readonly kind: "rename"; readonly from: string; readonly to: string }
  | { readonly kind: "unlink"; readonly path: string }
  | { readonly kind: "truncate"; readonly file: number; readonly size: number }
  | {
      readonly kind: "write";
      readonly file: number;
      readonly at: number;
      readonly bytes: Buffer;
      /** The file was opened for synchronous writes, which return once they are on disk. */
      readonly isSynced: boolean;
    }
  /** `file` is null for a folder. Covers the events before `since`. */
  | { readonly kind: "sync"; readonly file: number | null; readonly since: number }
  /** A line of output of the process. */
  | { readonly kind: "said"; readonly text: string };

const CALL = /^(\d+) +(\w+)\((.*)\) += (-?\d+)/s;
const UNFINISHED = /^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$/s;
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/s;
const TEXTS = /"((?:\\x[0-9a-f]{2})*)"/g;
const HANDLE = /^(\d+)<((?:\\x[0-9a-f]{2})*)>/;

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll("\\x", ""), "hex");
const textsOf = (args: string) => [...args.matchAll(TEXTS)].map((match) => bytesOf(match[1]!));

class TraceReader {
  readonly events: DiskEvent[] = [];
  private readonly folder: string;
  private readonly marker: string;
  private readonly files = new Map<string, number>();
  private nextFile = 1;
  private readonly offsets = new Map<string, number>();
  private readonly syncedHandles = new Set<string>();

  constructor(folder: string, marker: string) {
    this.folder = folder;
    this.marker = marker;
  }

  /** A call that has ended; `since` is the number of events when it began. */
  call(name: string, args: string, result: number, since: number): void {
    if (result < 0) return;
    const texts = textsOf(args);
    if (name === "openat") return this.open(args, texts, result);
    if (name === "rename") return this.rename(texts[0]!.toString(), texts[1]!.toString());
    if (name.startsWith("unlink")) return this.unlink(texts[0]!.toString());
    const handle = HANDLE.exec(args);
    if (handle === null) return;
    const target = bytesOf(handle[2]!).toString();
    if (name === "write" && handle[1] === "1") return this.said(texts[0]!.toString());
    if (!target.startsWith(this.folder)) return;
    if (name === "fsync" || name === "fdatasync") {
      this.events.push({ kind: "sync", file: this.files.get(target) ?? null, since });
      return;
    }
    const file = this.files.get(target);
    if (file === undefined) return;
    const key = `${handle[1]}:${file}`;
    const lastNumber = Number(/(\d+)$/.exec(args)?.[1] ?? 0);
    if (name === "lseek") this.offsets.set(key, result);
    else if (name === "ftruncate") this.events.push({ kind: "truncate", file, size: lastNumber });
    else if (/write/.test(name)) {
      const at = name.startsWith("p") ? lastNumber : (this.offsets.get(key) ?? 0);
      const bytes = Buffer.concat(texts).subarray(0, result);
      if (bytes.length !== result) throw new Error(`strace cut a write of ${result} bytes short`);
      if (!name.startsWith("p")) this.offsets.set(key, at + result);
      this.events.push({ kind: "write", file, at, bytes, isSynced: this.syncedHandles.has(key) });
    }
  }

  private open(args: string, texts: Buffer[], handle: number): void {
    const target = texts.at(-1)!.toString();
    if (!target.startsWith(this.folder) || !/O_WRONLY|O_RDWR/.test(args)) return;
    let file = this.files.get(target);
    if (file === undefined) {
      file = this.nextFile++;
      this.files.set(target, file);
      this.events.push({ kind: "create", path: path.relative(this.folder, target), file });
    } else if (args.includes("O_TRUNC")) {
      this.events.push({ kind: "truncate", file, size: 0 });
    }
    const key = `${handle}:${file}`;
    this.offsets.set(key, 0);
    if (/O_DSYNC|O_SYNC/.test(args)) this.syncedHandles.add(key);
    else this.syncedHandles.delete(key);
  }

  private rename(from: string, to: string): void {
    const file = this.files.get(from);
    if (file === undefined) return;
    this.files.delete(from);
    this.files.set(to, file);
    const inFolder = (name: string) => path.relative(this.folder, name);
    this.events.push({ kind: "rename", from: inFolder(from), to: inFolder(to) });
  }

  private unlink(target: string): void {
    if (!this.files.delete(target)) return;
    this.events.push({ kind: "unlink", path: path.relative(this.folder, target) });
  }

  private said(text: string): void {
    for (const line of text.split("\n")) {
      if (!line.startsWith(this.marker)) continue;
      this.events.push({ kind: "said", text: line.slice(this.marker.length) });
    }
  }
}

/**
 * @param folder the folder to follow; it must not have existed when the recording began
 * @param marker prefix of the lines of standard output to record
 */
export function parseTrace(traceFile: string, folder: string, marker: string): DiskEvent[] {
  const reader = new TraceReader(folder, marker);
  const unfinished = new Map<string, { name: string; args: string; since: number }>();
  for (const line of fs.readFileSync(traceFile, "latin1").split("\n")) {
    const started = UNFINISHED.exec(line);
    if (started !== null) {
      const [, pid, name, args] = started;
      unfinished.set(pid!, { name: name!, args: args!, since: reader.events.length });
      continue;
    }
    const resumed = RESUMED.exec(line);
    if (resumed !== null) {
      const begun = unfinished.get(resumed[1]!);
      const end = /^(.*)\) += (-?\d+)/s.exec(resumed[3]!);
      if (begun !== undefined && end !== null) {
        reader.call(begun.name, begun.args + end[1]!, Number(end[2]), begun.since);
      }
      continue;
    }
    const call = CALL.exec(line);
    if (call !== null) reader.call(call[2]!, call[3]!, Number(call[4]), reader.events.length);
  }
  return reader.events;
}
