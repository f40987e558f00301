import react from "@vitejs/plugin-react";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vitest/config";

/** The embedded backend that `npm run dev` starts beside Vite. */
const DEV_BACKEND = process.env.DEV_BACKEND ?? "http://127.0.0.1:3210";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: {
    host: "127.0.0.1",
    proxy: {
      "/api": { target: DEV_BACKEND, ws: true },
      "/.well-known": DEV_BACKEND,
      "/healthz": DEV_BACKEND,
    },
  },
  build: { target: "es2022", sourcemap: false, outDir: "dist/client" },
  test: {
    projects: [
      {
        test: {
          name: "unit",
          environment: "node",
          include: ["tests/{repo,shared,embedded,conformance}/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "convex",
          environment: "edge-runtime",
          include: ["tests/convex/**/*.test.ts"],
          server: { deps: { inline: ["convex-test"] } },
          testTimeout: 30_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: "ui",
          environment: "jsdom",
          include: ["tests/ui/**/*.test.{ts,tsx}"],
          setupFiles: ["tests/support/uiSetup.ts"],
        },
      },
    ],
  },
});
