/** The project of `npm run test:deployment`; not part of `npm test`, which has no deployment to test. */
import path from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: path.resolve(import.meta.dirname, "..", ".."),
  test: { include: ["tests/deployment/*.test.ts"], testTimeout: 60_000 },
});
