/** Seeds the demo data set once; every server of the run starts from a copy of it. */
import { mkdirSync, rmSync } from "node:fs";
import { SEEDED_DATA_DIR, startServer } from "./server";

export default async function globalSetup(): Promise<void> {
  rmSync(SEEDED_DATA_DIR, { recursive: true, force: true });
  mkdirSync(SEEDED_DATA_DIR, { recursive: true });
  const server = await startServer({ dataDir: SEEDED_DATA_DIR });
  await server.stop();
}
