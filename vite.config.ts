import react from "@vitejs/plugin-react";
import tailwindcss from "@tailwindcss/vite";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

/** The embedded backend that `npm run dev` starts together with Vite. */
const DEV_BACKEND = process.env.DEV_BACKEND ?? "http://127.0.0.1:3210";

/**
 * Chunks that many pages share, so that a page loads few files: the framework, the Convex client (sign-in and signed-in
 * pages only), the components of nearly every page, the modules of every command, rules of values, and the small
 * components of signed-in pages, which would compress worse one by one. A chunk also gets the modules that its own
 * modules import, unless one of higher priority has them: nothing in the kit may import the Convex client. Everything
 * else is split by route and by `import()`.
 */
const SHARED_CHUNKS = [
  {
    name: "framework",
    test: /node_modules\/(react|react-dom|react-router|react-router-dom|scheduler|cookie|set-cookie-parser)\//,
    priority: 5,
  },
  {
    name: "convex",
    test: /node_modules\/(convex\/dist\/esm\/(browser|react(?!\/use_paginated_query)|server)|@convex-dev|jwt-decode|is-network-error)\//,
    priority: 4,
  },
  {
    name: "kit",
    test: /src\/components\/ui\/(Button|buttonStyle|ButtonLink|TextLink|Field|TextInput|FormAlert|PageHeading|Mark|Spinner|Contours|StatusBanner|PasswordInput)\.|src\/components\/layout\/(SkipLink|PageContainer)\.|src\/hooks\/(useDocumentTitle|useDelayedFlag)\.|src\/lib\/(navigation|unansweredCalls|convexSession|env)\.|node_modules\/(clsx|lucide-react\/dist\/esm\/(createLucideIcon|Icon|shared|defaultAttributes|context|icons\/shield-check))|convex\/shared\/(institution|texts|limits)\.ts/,
    priority: 3,
  },
  {
    name: "errors",
    test: /convex\/shared\/errors\.ts/,
    priority: 2,
  },
  {
    name: "session",
    test: /src\/(features\/(session\/(useSharedSignOut|channel)|auth\/useSignOut)|hooks\/(useEndSession|useCommand|useSending|useConnection|useConnectionNote)|components\/ui\/ConnectionNote|lib\/(convexViewer|errorText|payloadText))\./,
    priority: 1,
  },
  {
    name: "values",
    test: /convex\/shared\/(dates|money|plainText)\.ts|src\/lib\/counts\./,
    priority: 1,
  },
  {
    name: "signedIn",
    test: /src\/(components\/(ui\/(Avatar|Badge|ConnectionBanner|DefinitionList|Menu|Skeleton|Tabs)|bank\/(ReceiptPaper|SignedAmount))|hooks\/useNow|lib\/(format|kept))\.|lucide-react\/dist\/esm\/icons\/(arrow-left|credit-card|receipt-text)\./,
    priority: 0,
  },
];

/** Makes every `import()` of the client go through src/lib/loadPart.ts instead of Vite's own preloading. */
const loadingOfParts: Plugin = {
  name: "loading-of-parts",
  enforce: "pre",
  load: {
    filter: { id: /^\0vite\/preload-helper\.js$/ },
    handler: () =>
      `export { loadPart as __vitePreload } from ${JSON.stringify(
        fileURLToPath(new URL("src/lib/loadPart.ts", import.meta.url)),
      )};`,
  },
};

/** React Router's export map names its development build, whose warnings would be half a kilobyte of every page. */
const productionRouter: Plugin = {
  name: "production-router",
  apply: "build",
  config: () => ({
    resolve: {
      alias: [
        ["react-router", "index"],
        ["react-router/dom", "dom-export"],
      ].map(([module, file]) => ({
        find: new RegExp(`^${module}$`),
        replacement: fileURLToPath(
          new URL(`node_modules/react-router/dist/production/${file}.mjs`, import.meta.url),
        ),
      })),
    },
  }),
};

/**
 * Icons name each of their lines by a random key, which React asks for in development only, and read a field for
 * nothing: together a kilobyte on the dashboard.
 */
const iconsWithoutKeys: Plugin = {
  name: "icons-without-keys",
  apply: "build",
  transform: {
    filter: { id: /lucide-react\/dist\/esm\/icons\// },
    handler: (code) => ({
      code: code.replaceAll(/,\s*key: "\w+"/g, "").replace("__iconData.node;", ""),
      map: null,
    }),
  },
};

export default defineConfig({
  plugins: [react(), tailwindcss(), loadingOfParts, productionRouter, iconsWithoutKeys],
  // No env files, only the environment: the official CLI writes env files with its own deployment's address.
  envDir: false,
  server: {
    host: "127.0.0.1",
    proxy: {
      "/api": { target: DEV_BACKEND, ws: true },
      "/.well-known": DEV_BACKEND,
      "/healthz": DEV_BACKEND,
    },
  },
  build: {
    target: "es2022",
    sourcemap: false,
    // One CSS file, because src/lib/loadPart.ts loads only modules.
    cssCodeSplit: false,
    outDir: "dist/client",
    rolldownOptions: { output: { codeSplitting: { groups: SHARED_CHUNKS } } },
  },
});
