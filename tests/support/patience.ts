/** How long a test waits for what must come: a busy machine may be slow, and is never wrong. */
export const PATIENCE = { timeout: 30_000 };
