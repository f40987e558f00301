/** How long a test waits for what must come: a busy machine may be slow, but that is not a failure. */
export const PATIENCE = { timeout: 30_000 };
