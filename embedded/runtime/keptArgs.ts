/** Arguments of a call that has to wait: parsed values can take twenty times as much memory as their text. */
import type { JSONValue } from "convex/values";

/** Shorter ones are no burden, not even those of thousands of calls. */
const PARSED_MAX_CHARS = 1_024;

class ArgsText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): JSONValue {
    return JSON.parse(this.text) as JSONValue;
  }
}

export type KeptArgs = JSONValue | ArgsText;

/** Long ones as text. */
export function keptArgs(args: JSONValue): KeptArgs {
  const text = JSON.stringify(args);
  return text.length > PARSED_MAX_CHARS ? new ArgsText(text) : args;
}

/** Characters of what is kept as text. */
export const keptChars = (args: KeptArgs): number =>
  args instanceof ArgsText ? args.text.length : 0;

/** The arguments, parsed anew each time where they were kept as text. */
export const readArgs = (args: KeptArgs): JSONValue =>
  args instanceof ArgsText ? args.toJSON() : args;
