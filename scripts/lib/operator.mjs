/** What operators' commands share: the data folder, the server that runs on it, and what to do after a failure. */
import { accessSync, constants, rmSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { dataDirSetting, fail } from "./args.mjs";
import { ROOT } from "./install.mjs";
import { STOP_SIGNALS } from "./signals.mjs";

/** The folder given by DATA_DIR, otherwise `standard`; both are relative to the checkout. */
export const dataDirHere = (standard = ".data") => path.resolve(ROOT, dataDirSetting(standard));

/** The folder given by `--data`, relative to the current folder as in all commands, otherwise {@link dataDirHere}. */
export const dataDirOf = (options) =>
  options.data === undefined ? dataDirHere() : path.resolve(options.data);

/** Like `fetch`, but without its timeout of five minutes: copying and reading a large store takes longer. */
function ask(url, { method = "GET", headers, body, signal }) {
  return new Promise((resolve, reject) => {
    request(url, { method, headers, signal })
      .on("response", (answer) =>
        resolve(new Response(Readable.toWeb(answer), { status: answer.statusCode })),
      )
      .on("error", reject)
      .end(body);
  });
}

/**
 * The server that runs on a data folder, or null.
 * @throws Error when it does not respond within `answerWithinMs`
 */
export async function runningServer(backend, dataDir, answerWithinMs = 5_000) {
  const note = backend.readRunning(dataDir);
  if (note === null) return null;
  // `localhost` is always local; a server whose HOST is a name treats that name like a public one.
  const local = Object.assign(new URL(note.url), { hostname: "localhost" });
  const call = (route, init = {}) =>
    ask(note.url + route, {
      ...init,
      headers: { Host: local.host, Authorization: `Convex ${note.operatorKey}`, ...init.headers },
    });
  const signal = AbortSignal.timeout(answerWithinMs);
  const answer = await call("/api/operator/status", { signal }).catch(() => null);
  if (signal.aborted) {
    throw new Error(
      `The server of ${dataDir}, process ${note.pid} at ${note.url}, does not answer. Wait until it does, or end ` +
        "that process and do this again: nothing acknowledged is lost.",
    );
  }
  // It is starting or stopping.
  if (answer === null || !answer.ok) return null;
  // An address leaves its standard port out.
  const port = Number(local.port || 80);
  return { url: note.url, port, status: await answer.json(), call };
}

/**
 * Runs a function on a running server. Returns its `value`, or the `refusal`. @throws Error for every other
 * failure
 */
export async function callOnServer(server, path, args) {
  const answer = await server.call("/api/function", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ path, args }),
  });
  const { value, errorMessage, errorData } = await answer.json();
  if (value !== undefined) return { value };
  if (errorData?.code !== undefined) return { refusal: errorData };
  // An answer hides why a function failed; that nothing can be written, the server tells operators.
  const { isReadOnly } = await (await server.call("/api/operator/status")).json();
  if (isReadOnly !== null) throw Object.assign(new Error(isReadOnly), { name: "ReadOnlyError" });
  throw new Error(errorMessage ?? `HTTP ${answer.status}`);
}

/** Shows progress on one line, or nothing when the output is not a terminal. */
export function progressLine() {
  const isShown = process.stderr.isTTY === true;
  return {
    show: (text) => isShown && process.stderr.write(`\r\x1b[K${text}`),
    end: () => isShown && process.stderr.write("\r\x1b[K"),
  };
}

const IF_DAMAGED =
  "Run npm run doctor, which says what to do; a backup can be restored with npm run restore.";

const IF_FULL =
  "The disk is full: make room (old backups, exports/, replaced-* folders), then do this again.";
const IF_BROKEN =
  "A disk has failed: see which one, and how (dmesg). If it is that of the data folder, restore the newest backup to another one " +
  "(npm run restore, with --data).";
const IF_LIMITED =
  "A limit of this process is too low: raise that on open files (ulimit -n, LimitNOFILE) or on the size of a file (ulimit -f, " +
  "LimitFSIZE), then do this again.";
/** The next step when commits cannot be applied to the store. LMDB reports a short write as an input/output error. */
export const UNWRITABLE_NEXT =
  "Nothing is lost: what was acknowledged is in the log. If the disk is full, make room (old backups, exports/, replaced-* folders) " +
  "and start again. If it is not, npm run recover puts it into the store in another way; when that fails as well, look at " +
  "the disk and its rights.";
const IF_ENDED = "The server ended meanwhile: do this again.";
const IF_REPLACING =
  "Add --replace to put this in its place; the old data is moved aside, not deleted.";

/** @throws Error that says what to do when the folder is not writable */
export function checkWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Error(`${folder} cannot be written (${error.code}): name another folder.`, {
      cause: error,
    });
  }
}

/**
 * Removes an unfinished file or folder when a signal stops this process. Returns the function to call once it
 * is finished.
 */
export function removeIfStopped(unfinished) {
  const stop = (_signal, number) => {
    rmSync(unfinished, { recursive: true, force: true });
    process.exit(128 + number);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
  };
}

/** Runs a command's work; after a failure, exits with the text of {@link failureText}. */
export async function runCommand(work, ifDamaged = IF_DAMAGED) {
  try {
    await work();
  } catch (error) {
    fail(failureText(error, ifDamaged));
  }
}

/** The message of anything thrown; it need not be an Error. */
export const messageOf = (thrown) => (thrown instanceof Error ? thrown.message : String(thrown));

/** What failed, and what to do next: `ifDamaged` when data is damaged. */
export function failureText(error, ifDamaged = IF_DAMAGED) {
  // Node's whole message about a response that breaks off is "aborted", which sounds like a decision.
  const message = messageOf(error).replace(/^aborted$/, "The answer broke off");
  const next = nextStep(error?.name, message, ifDamaged);
  return next === undefined ? message : `${message}\n${next}`;
}

/** What to do next after a failure; undefined when its message says that itself. */
export function nextStep(name, message, ifDamaged = IF_DAMAGED) {
  // Before the full disk: with room again, a server that was running must also be started again.
  if (name === "ReadOnlyError" || message === "Input/output error") return UNWRITABLE_NEXT;
  if (/ENOSPC|EDQUOT|no space left/i.test(message)) return IF_FULL;
  if (/\bEIO\b/.test(message)) return IF_BROKEN;
  if (/\b(EMFILE|EFBIG)\b/.test(message)) return IF_LIMITED;
  if (/broke off|socket hang up|ECONNRE(SET|FUSED)/.test(message)) return IF_ENDED;
  if (name === "DamageError") return ifDamaged;
  return /holds data already/.test(message) ? IF_REPLACING : undefined;
}

const MIB = 1024 * 1024;

/** A readable size. */
export const sizeText = (bytes) =>
  bytes < MIB ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`;
