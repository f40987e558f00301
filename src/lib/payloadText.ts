/** Text that is equal for equal arguments of calls; amounts are bigint, which JSON does not know. */
export function payloadText(payload: unknown): string {
  return JSON.stringify(payload, (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
}
