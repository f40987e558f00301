/** The arguments of an operation as text: how page and server tell whether they were asked for the same again. */

/** Equal for equal arguments in the same order. Amounts are bigint, which JSON does not support. */
export function payloadText(payload: unknown): string {
  return JSON.stringify(payload, (_key, part: unknown) =>
    typeof part === "bigint" ? `${part}n` : part,
  );
}
