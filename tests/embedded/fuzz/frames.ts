/**
 * Random frames of the sync protocol: valid sessions, and frames corrupted in every way a client could
 * corrupt them.
 */
import type { Dice } from "../../support/chance";

const CHANNELS = ["a", "b", "ü\u{1F600}", ""];
/** Functions of the fixture, missing ones, internal ones, and invalid paths. */
const QUERIES = ["messages:list", "messages:counter", "messages:whoAmI", "messages:refuseQuery"];
const MUTATIONS = ["messages:refuse", "messages:nothing", "messages:insertThenFail", "auth:store"];
const WRITES = ["messages:increment"];
const ACTIONS = ["messages:nothing", "messages:list", "messages:sha256"];
const STRANGE_PATHS = [
  "",
  ":",
  "../auth:store",
  "messages:__proto__",
  "_system/cli/tables",
  "a/b/c:d",
];

/** Encoded values, some of them invalid. */
const STRANGE_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -0,
  -1,
  2 ** 53,
  1e308,
  "",
  "\u0000",
  "\ud800",
  "x".repeat(3_000),
  [],
  {},
  [[[[[[[[]]]]]]]],
  { $integer: "AAAAAAAAAAA=" },
  { $integer: "AA" },
  { $integer: 1 },
  { $float: "AAAAAAAA8H8=" },
  { $bytes: "////" },
  { $bytes: "%" },
  { $undefined: null },
  { $: 1 },
  { _id: "x", constructor: { prototype: 1 } },
];

export function valueOf(dice: Dice): unknown {
  return dice.isHit(0.5) ? { channel: dice.of(CHANNELS) } : dice.of(STRANGE_VALUES);
}

function argsFor(dice: Dice, path: string): unknown {
  if (dice.isHit(0.15)) return valueOf(dice);
  if (path === "messages:list") return { channel: dice.of(CHANNELS) };
  if (["messages:counter", "messages:increment"].includes(path)) return { name: dice.of(CHANNELS) };
  return path === "messages:sha256" ? { text: dice.of(CHANNELS) } : {};
}

/** A valid session's messages: consecutive versions, unique request numbers. */
export class ValidSession {
  readonly sessionId: string;
  private readonly dice: Dice;
  private querySet = 0;
  private identity = 0;
  private nextQuery = 0;
  private nextRequest = 0;
  private readonly open: number[] = [];

  constructor(dice: Dice) {
    this.dice = dice;
    const hex = () => dice.below(16).toString(16);
    this.sessionId = "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, hex);
  }

  connect(): Record<string, unknown> {
    return {
      type: "Connect",
      sessionId: this.sessionId,
      connectionCount: this.dice.below(3),
      lastCloseReason: this.dice.of([null, "InitialConnect", "x"]),
      clientTs: this.dice.below(2 ** 40),
    };
  }

  /** The next message; `call` is set when it gets an answer. */
  next(): { message: Record<string, unknown>; call: string | null } {
    const { dice } = this;
    const roll = dice.chance();
    if (roll < 0.35) return { message: this.modify(), call: null };
    if (roll < 0.65) return this.call("Mutation");
    if (roll < 0.85) return this.call("Action");
    if (roll < 0.93) return { message: { type: "Event", eventType: "x", event: {} }, call: null };
    const baseVersion = this.identity++;
    return { message: { type: "Authenticate", baseVersion, tokenType: "None" }, call: null };
  }

  private modify(): Record<string, unknown> {
    const { dice } = this;
    const modifications: unknown[] = [];
    for (let n = dice.below(4); n > 0; n--) {
      if (this.open.length > 0 && dice.isHit(0.4)) {
        const [queryId] = this.open.splice(dice.below(this.open.length), 1);
        modifications.push({ type: "Remove", queryId });
        continue;
      }
      const udfPath = dice.of(dice.isHit(0.9) ? QUERIES : STRANGE_PATHS);
      const queryId = this.nextQuery++;
      this.open.push(queryId);
      modifications.push({ type: "Add", queryId, udfPath, args: [argsFor(dice, udfPath)] });
    }
    const baseVersion = this.querySet;
    this.querySet += 1 + dice.below(3);
    return { type: "ModifyQuerySet", baseVersion, newVersion: this.querySet, modifications };
  }

  private call(type: "Mutation" | "Action") {
    const { dice } = this;
    const requestId = this.nextRequest++;
    const known = type === "Action" ? ACTIONS : dice.isHit(0.1) ? WRITES : MUTATIONS;
    const udfPath = dice.of(dice.isHit(0.9) ? known : STRANGE_PATHS);
    const message = { type, requestId, udfPath, args: [argsFor(dice, udfPath)] };
    return { message, call: `${type} ${requestId}` };
  }
}

const FIELDS = ["type", "requestId", "udfPath", "args", "baseVersion", "newVersion", "queryId"];

/** Corrupts the structure of a message: a field is removed, renamed, doubled, or has another value. */
function spoilStructure(dice: Dice, message: Record<string, unknown>): string {
  const spoilt = { ...message };
  const field = dice.of(Object.keys(spoilt));
  switch (dice.below(5)) {
    case 0:
      delete spoilt[field];
      break;
    case 1:
      spoilt[field] = dice.of(STRANGE_VALUES);
      break;
    case 2:
      spoilt[dice.of(FIELDS)] = spoilt[field];
      break;
    case 3:
      return JSON.stringify(spoilt).replace("{", '{"__proto__":{"type":"Event"},');
    default:
      spoilt.args = [valueOf(dice), ...(dice.isHit(0.5) ? [valueOf(dice)] : [])];
  }
  return JSON.stringify(spoilt);
}

/** Corrupts the text: bytes are flipped, cut, doubled, nested. */
function spoilText(dice: Dice, text: string): string | Uint8Array {
  const at = dice.below(text.length + 1);
  const to = Math.min(text.length, at + dice.below(20));
  switch (dice.below(9)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(to);
    case 2:
      return text.slice(0, to) + text.slice(at);
    case 3:
      return text.replace(/-?\d+/, () =>
        dice.of(["-1", "1e999", "NaN", "0x1", "9".repeat(400), "1.5"]),
      );
    case 4:
      return `${"[".repeat(dice.below(400))}${text}`;
    case 5:
      return text.replace(/"args":\[.*\]/, () => `"args":[${"[".repeat(90)}${"]".repeat(90)}]`);
    case 6:
      return text + " ".repeat(dice.below(5)) + text;
    case 7:
      return `${text.slice(0, at)}${String.fromCharCode(dice.below(0xffff))}${text.slice(to)}`;
    default:
      return Buffer.from(text);
  }
}

/** One corrupted frame; bytes are sent as a binary frame. */
export function spoiled(dice: Dice, session: ValidSession): string | Uint8Array {
  const message = dice.isHit(0.2) ? session.connect() : session.next().message;
  if (dice.isHit(0.5)) return spoilStructure(dice, message);
  return spoilText(dice, JSON.stringify(message));
}
