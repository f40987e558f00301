/**
 * Random arguments from a function's own validators: valid ones, and ones with something wrong. Whether a
 * validator accepts them is decided here, independently of the server.
 */
import type { Dice } from "../../support/chance";
import { sampleOf, type ValidatorJson } from "../publicFunctions";

export type Json = Record<string, unknown>;
/** The table that an id belongs to, or null. */
type TableOf = (id: string) => string | null;

const CRAFTED_ID = "jd7" + "0".repeat(29);
const LONG = "x".repeat(120_000);
/** Numbers that are no valid amount. */
const BAD_CENTS: readonly bigint[] = [0n, -1n, -(2n ** 63n), 2n ** 63n - 1n];
/** Text that must not be stored in any field. */
const BAD_TEXTS = ["\u0000", "a\u0007b", "\u202egnp.exe", LONG];
const ODD_TEXTS = ["", " ", "\u{1F600}\u0301", "<script>", "'; drop table", "=1+1", "__proto__"];
const NUMBERS = [0, -0, -1, 0.1, NaN, Infinity, -Infinity, 2 ** 53, 1e308];
const OTHERS = [null, true, [], {}, [[]], new ArrayBuffer(3)];

function anything(dice: Dice): unknown {
  switch (dice.below(5)) {
    case 0:
      return dice.of(NUMBERS);
    case 1:
      return dice.of(BAD_CENTS);
    case 2:
      return dice.of([...BAD_TEXTS, ...ODD_TEXTS, CRAFTED_ID]);
    case 3:
      return { [dice.of(["a", "userId", "_id", "role"])]: dice.of(NUMBERS) };
    default:
      return dice.of(OTHERS);
  }
}

/** A position in the arguments: the containing object, the key, and the validator of its value. */
interface Place {
  readonly holder: Json | unknown[];
  readonly key: string | number;
  readonly validator: ValidatorJson;
}

function* places(validator: ValidatorJson, value: unknown): Generator<Place> {
  if (validator.type === "object" && typeof value === "object" && value !== null) {
    for (const [key, { fieldType }] of Object.entries(validator.value)) {
      const holder = value as Json;
      if (!(key in holder)) continue;
      yield { holder, key, validator: fieldType };
      yield* places(fieldType, holder[key]);
    }
  }
  if (validator.type === "array" && Array.isArray(value)) {
    for (let key = 0; key < value.length; key++) {
      yield { holder: value, key, validator: validator.value };
      yield* places(validator.value, value[key]);
    }
  }
}

const put = ({ holder, key }: Place, value: unknown): void => {
  (holder as Json)[key] = value;
};

/** Invalid arguments; `mustRefuse` when they must be refused even if the types fit. */
interface Spoiled {
  readonly args: Json;
  readonly mustRefuse: boolean;
}

/** Makes valid arguments (or a sample) invalid at one or two places. */
export function spoil(
  dice: Dice,
  validator: ValidatorJson,
  good: Json | null,
  ids: readonly string[],
  idOf: (tableName: string) => string,
): Spoiled {
  const args = structuredClone(good ?? sampleOf(validator, idOf)) as Json;
  let mustRefuse = false;
  for (let n = dice.isHit(0.7) ? 1 : 2; n > 0; n--) {
    const all = [...places(validator, args)];
    if (all.length === 0 || dice.isHit(0.1)) {
      args[dice.of(["extra", "userId", "isAdmin", "_creationTime"])] = anything(dice);
      continue;
    }
    mustRefuse = spoilAt(dice, dice.of(all), ids) || mustRefuse;
  }
  return { args, mustRefuse };
}

/** Replaces one value; returns whether the new one must be refused even if its type fits. */
function spoilAt(dice: Dice, place: Place, ids: readonly string[]): boolean {
  if (dice.isHit(0.15) && !Array.isArray(place.holder)) {
    Reflect.deleteProperty(place.holder, place.key);
    return false;
  }
  if (dice.isHit(0.25)) {
    put(place, anything(dice));
    return false;
  }
  switch (place.validator.type) {
    case "bigint":
      put(place, dice.of(BAD_CENTS));
      return place.key === "amountCents";
    case "number":
      put(place, dice.of(NUMBERS));
      return false;
    case "id":
      put(place, dice.of([...ids, CRAFTED_ID]));
      return false;
    case "string":
      put(place, dice.of([...BAD_TEXTS, ...ODD_TEXTS, ...ids]));
      return false;
    default:
      return false;
  }
}

/** An independent implementation of the official validators. */
export function accepts(validator: ValidatorJson, value: unknown, tableOf: TableOf): boolean {
  switch (validator.type) {
    case "any":
      return value !== undefined;
    case "null":
      return value === null;
    case "number":
    case "bigint":
    case "boolean":
    case "string":
      return typeof value === validator.type;
    case "bytes":
      return value instanceof ArrayBuffer;
    case "literal":
      return value === validator.value;
    case "id":
      return typeof value === "string" && tableOf(value) === validator.tableName;
    case "array":
      return Array.isArray(value) && value.every((each) => accepts(validator.value, each, tableOf));
    case "union":
      return validator.value.some((each) => accepts(each, value, tableOf));
    case "record":
    case "object":
      return isPlainObject(value) && acceptsFields(validator, value, tableOf);
  }
}

function acceptsFields(
  validator: Extract<ValidatorJson, { type: "record" | "object" }>,
  value: Json,
  tableOf: TableOf,
): boolean {
  if (validator.type === "record") {
    return Object.entries(value).every(
      ([key, each]) =>
        accepts(validator.keys, key, tableOf) && accepts(validator.values.fieldType, each, tableOf),
    );
  }
  const fields = validator.value;
  return (
    Object.keys(value).every((key) => Object.hasOwn(fields, key)) &&
    Object.entries(fields).every(([key, { fieldType, optional }]) =>
      Object.hasOwn(value, key) ? accepts(fieldType, value[key], tableOf) : optional,
    )
  );
}

function isPlainObject(value: unknown): value is Json {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ArrayBuffer)
  );
}
