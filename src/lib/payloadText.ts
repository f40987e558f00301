/** Text that is equal for equal call arguments; amounts are bigint, which JSON does not support. */
export function payloadText(payload: unknown): string {
  return JSON.stringify(payload, (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
}
