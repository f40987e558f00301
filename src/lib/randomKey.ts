/** 128 random bits as text; unlike `randomUUID` this also exists on plain-http origins. */
export function randomKey(): string {
  const KEY_BYTES = 16;
  return Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
