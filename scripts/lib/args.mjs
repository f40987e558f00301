/** Command lines of our scripts: `--help`, named options, and one clear line for an error. */
import { existsSync, statSync } from "node:fs";
import { isIP, isIPv6 } from "node:net";
import path from "node:path";

/* eslint-disable no-control-regex -- control characters are what is looked for */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
/* eslint-enable no-control-regex */

/** What data or an archive says, with escapes for what would move a terminal's cursor or turn its text around. */
export const printable = (text) =>
  text.replace(CONTROL, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Prints an error in the format of the server's log, because a log collector may accept no other. */
export function complain(message) {
  const isJson = process.env.LOG_FORMAT === "json";
  const line = { time: new Date().toISOString(), level: "error", message };
  console.error(printable(isJson ? JSON.stringify(line) : message));
}

/** Prints one line and exits with 1. */
export function fail(message) {
  complain(message);
  process.exit(1);
}

/** Prints what was wrong with the command line and exits with 2; nothing was done. */
export function misuse(message) {
  console.error(message);
  process.exit(2);
}

/**
 * Parses `--name value` and `--flag` options.
 *
 * `values` names options that take a value, `flags` those that do not. Anything else ends the process
 * with the usage text.
 */
export function parseOptions(argv, usage, { values = [], flags = [] } = {}) {
  surviveClosedOutput();
  const options = {};
  for (let i = 0; i < argv.length; i += 1) {
    const [name, inline] = argv[i].replace(/^--/, "").split(/=(.*)/s);
    if (!argv[i].startsWith("--") && argv[i] !== "-h")
      misuse(`Unexpected argument ${argv[i]}\n${usage}`);
    if (argv[i] === "-h" || name === "help") {
      console.log(usage);
      process.exit(0);
    }
    if (flags.includes(name)) {
      if (inline !== undefined) misuse(`Option --${name} takes no value\n${usage}`);
      options[name] = true;
    } else if (values.includes(name)) {
      const value = inline ?? argv[(i += 1)];
      // An unset shell variable or the next option is never the intended value, and it may name a folder to replace.
      const isMeant = value && (inline !== undefined || !value.startsWith("--"));
      if (!isMeant) misuse(`Option --${name} needs a value\n${usage}`);
      options[name] = value;
    } else {
      misuse(`Unknown option ${argv[i]}\n${usage}`);
    }
  }
  return options;
}

/** The reader of our output may be gone (`| head -1`): the work goes on, and the exit code tells how it ended. */
function surviveClosedOutput() {
  for (const output of [process.stdout, process.stderr]) {
    output.on("error", (error) => {
      if (error.code !== "EPIPE") fail(`The output cannot be written: ${error.message}.`);
    });
  }
}

/** Ends this process when everything printed is out; that it cannot be written is told a moment later. */
export const exitPrinted = (code) =>
  process.stdout.write("", () => setImmediate(() => process.exit(code)));

/** A text as one word of a shell's command line, whatever is in it. */
export const shellWord = (text) =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** An environment variable, or `standard` when it is not set. An empty one is an error. */
export function settingOf(name, standard) {
  const value = process.env[name] ?? standard;
  if (value === "") misuse(emptyText(name));
  return value;
}

/** The message for an empty variable: the value that somebody meant to set is missing. */
export const emptyText = (name) => `${name} is empty: give it a value, or leave it out`;

const isWebAddress = (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
const isHostName = (text) => /^[^\s"/?#@:]+$/.test(text) && URL.canParse(`http://${text}`);
/** Without a zone (`%eth0`), which no web address can have. */
const isWebIPv6 = (text) => isIPv6(text) && !text.includes("%");
/** Only digits: an empty text, hexadecimal, "1e3" and digits with a line end are numbers, too. */
const numberOf = (text) => (/^\d+$/.test(text) ? Number(text) : NaN);

/** Kinds of settings and options: the rule in words, and its test. */
const KINDS = {
  count: ["a whole number above 0", (text) => numberOf(text) >= 1],
  amount: ["a whole number", (text) => numberOf(text) >= 0],
  switch: ["0 or 1", (text) => text === "0" || text === "1"],
  port: ["a port", (text) => numberOf(text) <= 65_535],
  origin: ["an address such as https://your.host", isWebAddress],
  host: ["an address", (text) => isHostName(text) || isWebIPv6(text.replace(/^\[(.*)\]$/, "$1"))],
  proxy: ["an IP address or none", (text) => text === "none" || isIP(text) !== 0],
  folder: ["a path without quotes or blanks around it", (text) => !/^[\s"']|[\s"']$/.test(text)],
  format: ["text or json", (text) => text === "text" || text === "json"],
};

/** Why a text is not of a kind; null when it is. */
export function faultOf(kind, text, name) {
  const [rule, isOfKind] = KINDS[kind];
  return isOfKind(text) ? null : `${name} must be ${rule}, got ${visible(text)}`;
}

/** Control characters are escaped: an environment file with Windows' line ends leaves a \r at the end of each value. */
const visible = (text) =>
  text.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));

/** Returns a text of a kind; exits when it is not. */
function textOf(kind, text, name) {
  const fault = faultOf(kind, text, name);
  if (fault !== null) fail(fault);
  return text;
}

/** A whole number above zero from text. */
export const countOf = (text, name) => Number(textOf("count", text, name));
/** A whole number, which may be zero, from text. */
export const amountOf = (text, name) => Number(textOf("amount", text, name));
/** True for "1", false for "0". */
export const switchOf = (text, name) => textOf("switch", text, name) === "1";
/** A TCP port (0 to 65535) from text. */
export const portOf = (text, name) => Number(textOf("port", text, name));
/** The origin of a web address, from text. */
export const originOf = (text, name) => new URL(textOf("origin", text, name)).origin;
/** An address or name to listen on, from text. */
export const hostOf = (text, name) => textOf("host", text, name);
/** A proxy's IP address, or "none", from text. */
export const proxyOf = (text, name) => textOf("proxy", text, name);

/**
 * The text of DATA_DIR, or `standard` when it is not set. Whatever read an environment file may have kept quotes or a
 * line end: another, empty folder would be served.
 */
export const dataDirSetting = (standard) =>
  textOf("folder", settingOf("DATA_DIR", standard), "DATA_DIR");

/** What is at a path, or undefined; exits when that cannot be found out. */
export function statsOf(file) {
  try {
    return statSync(file);
  } catch ({ code }) {
    if (["ENOENT", "ENOTDIR"].includes(code)) return undefined;
    const next =
      code === "EACCES" ? "Do this as the user to whom it belongs (sudo -u)" : "Name another one";
    return fail(`${path.resolve(file)} cannot be read (${code}). ${next}.`);
  }
}

/** The path of a folder that exists or can be created. */
export function folderOf(folder, name) {
  let there = folder;
  while (!existsSync(there)) there = path.dirname(there);
  if (!statSync(there).isDirectory()) fail(`${name} must be a folder, got the file ${there}`);
  return folder;
}
