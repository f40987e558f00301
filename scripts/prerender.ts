/**
 * Prerenders the public pages after `vite build`: writes their HTML, head, redirects, sitemap and robots.txt
 * into the client's folder. `node scripts/run.mjs scripts/prerender.ts [client folder, dist/client]`.
 *
 * Not here: the pages and their texts (src/app/publicDocuments.ts), compression (scripts/lib/builds.mjs).
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { INSTITUTION } from "#shared/institution";
import type * as PublicDocuments from "../src/app/publicDocuments";

type Documents = typeof PublicDocuments;
type PublicPage = Documents["RENDERED_PAGES"][number];

const ROOT = path.resolve(import.meta.dirname, "..");
/** A folder per run: several checkouts that share packages may build at the same time. */
const SERVER_DIR = path.join(ROOT, "node_modules", ".cache", `prerender-${process.pid}`);
/** Private paths, excluded from crawlers. */
const PRIVATE_PATHS = ["/dashboard", "/transactions", "/settings/", "/admin", "/api/"];

/** Builds the pages' code for Node and loads it. */
async function loadDocuments(): Promise<Documents> {
  await build({
    root: ROOT,
    logLevel: "warn",
    // The backend's client needs an address; nothing connects during prerendering.
    define: { "import.meta.env.VITE_CONVEX_URL": JSON.stringify("http://127.0.0.1") },
    build: {
      ssr: "src/app/publicDocuments.ts",
      outDir: SERVER_DIR,
      emptyOutDir: true,
      copyPublicDir: false,
    },
  });
  const entry = pathToFileURL(path.join(SERVER_DIR, "publicDocuments.js"));
  return (await import(entry.href)) as Documents;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

/** The head of one page, which replaces the shell's title and description. */
function headOf(page: PublicPage, documents: Documents): string {
  const title = escapeHtml(`${page.title} · ${INSTITUTION.fullName}`);
  const description = escapeHtml(page.description);
  const url = escapeHtml(documents.canonicalUrl(page.path));
  const image = escapeHtml(documents.canonicalUrl("/og.png"));
  const data = JSON.stringify(documents.structuredData()).replaceAll("<", "\\u003c");
  return [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}" />`,
    page.isIndexed
      ? `<link rel="canonical" href="${url}" />`
      : `<meta name="robots" content="noindex" />`,
    `<meta property="og:type" content="website" />`,
    `<meta property="og:site_name" content="${escapeHtml(INSTITUTION.fullName)}" />`,
    `<meta property="og:title" content="${title}" />`,
    `<meta property="og:description" content="${description}" />`,
    `<meta property="og:url" content="${url}" />`,
    `<meta property="og:image" content="${image}" />`,
    `<meta property="og:image:width" content="1200" />`,
    `<meta property="og:image:height" content="630" />`,
    `<meta property="og:image:alt" content="${escapeHtml(INSTITUTION.fullName)}" />`,
    `<meta name="twitter:card" content="summary_large_image" />`,
    `<script type="application/ld+json">${data}</script>`,
  ].join("\n    ");
}

/** Replaces exactly one match in the shell, so that a changed shell fails the build. */
function replaceOnce(html: string, place: RegExp, replacement: string): string {
  if (html.match(new RegExp(place, "g"))?.length !== 1) {
    throw new Error(`the page shell has not exactly one ${String(place)}`);
  }
  return html.replace(place, () => replacement);
}

/**
 * How the application takes over a page (src/main.tsx, src/app/start.tsx): when it is first used, if its HTML
 * is complete; in place; or by replacing it, if it has a form.
 */
type Start = "on-use" | "in-place" | "replace";

function documentOf(
  shell: string,
  parts: { head: string; preloads: string; body: string; start: Start },
): string {
  const withoutDescription = replaceOnce(shell, /\s*<meta\s+name="description"[^>]*>/, "");
  const withHead = replaceOnce(withoutDescription, /<title>[^<]*<\/title>/, parts.head);
  const withPreloads = replaceOnce(withHead, /\s*<\/head>/, `${parts.preloads}\n  </head>`);
  const root = `<div id="root" data-start="${parts.start}">`;
  return replaceOnce(withPreloads, /<div id="root"><\/div>/, `${root}${parts.body}</div>`);
}

/**
 * Names of the chunks that the application needs on this page, so that the browser need not discover them one
 * by one. src/main.tsx preloads them once the page is painted.
 */
async function preloadsOf(clientDir: string, chunkNames: readonly string[]): Promise<string> {
  const assetsDir = path.join(clientDir, "assets");
  const files = await readdir(assetsDir);
  const wanted = new Set<string>();
  const add = async (file: string): Promise<void> => {
    if (wanted.has(file) || !files.includes(file)) return;
    wanted.add(file);
    const code = await readFile(path.join(assetsDir, file), "utf8");
    for (const match of code.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
      await add(match[1] ?? "");
    }
  };
  for (const name of chunkNames) {
    const chunk = files.find((file) => file.startsWith(`${name}-`) && file.endsWith(".js"));
    if (!chunk) throw new Error(`no chunk of ${name} in ${assetsDir}`);
    await add(chunk);
  }
  return [...wanted]
    .map((file) => `\n    <link rel="later" crossorigin href="/assets/${file}" />`)
    .join("");
}

/** "/" is "HomeRoute", "/about" is "AboutRoute"; pages without their own route share one. */
function chunkOf(page: PublicPage, documents: Documents): string {
  if (page === documents.NOT_FOUND_PAGE) return "NotFoundRoute";
  if (!page.isIndexed) return "NotYetOnlineRoute";
  const name = page.path === "/" ? "home" : page.path.slice(1);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Route`;
}

async function writePage(clientDir: string, pagePath: string, html: string): Promise<void> {
  const file = path.join(clientDir, pagePath === "/" ? "index.html" : `${pagePath.slice(1)}.html`);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, html);
}

function redirectDocument(to: string): string {
  const target = escapeHtml(to);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>${escapeHtml(INSTITUTION.fullName)}</title>
    <meta name="robots" content="noindex" />
    <meta http-equiv="refresh" content="0; url=${target}" />
  </head>
  <body>
    <p><a href="${target}">Continue</a></p>
  </body>
</html>
`;
}

function sitemap(documents: Documents): string {
  const urls = [...documents.RENDERED_PAGES, ...documents.FORM_PAGES]
    .filter((page) => page.isIndexed)
    .map((page) => `  <url><loc>${escapeHtml(documents.canonicalUrl(page.path))}</loc></url>`);
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
    ...urls,
    `</urlset>`,
    ``,
  ].join("\n");
}

function robots(documents: Documents): string {
  return [
    "User-agent: *",
    ...PRIVATE_PATHS.map((prefix) => `Disallow: ${prefix}`),
    "",
    `Sitemap: ${documents.canonicalUrl("/sitemap.xml")}`,
    "",
  ].join("\n");
}

/** Writes every public document of a freshly built client. */
async function prerenderClient(clientDir: string): Promise<void> {
  const documents = await loadDocuments();
  const shell = await readFile(path.join(clientDir, "index.html"), "utf8");
  // Pages that depend on the visitor get the plain shell and are not indexed.
  const noindex = `<title>${INSTITUTION.fullName}</title>\n    <meta name="robots" content="noindex" />`;
  const plainShell = replaceOnce(shell, /<title>[^<]*<\/title>/, noindex);
  for (const pagePath of documents.APPLICATION_PATHS) {
    await writePage(clientDir, pagePath, plainShell);
  }

  for (const page of [...documents.RENDERED_PAGES, documents.NOT_FOUND_PAGE]) {
    const start = page.path === "/" ? "on-use" : "in-place";
    const frame = page === documents.NOT_FOUND_PAGE ? [] : ["PublicFrame"];
    const chunks = start === "on-use" ? [] : ["start", ...frame, chunkOf(page, documents)];
    const parts = {
      head: headOf(page, documents),
      preloads: await preloadsOf(clientDir, chunks),
      body: await documents.renderPublicPage(page.path),
      start,
    } as const;
    await writePage(clientDir, page.path, documentOf(shell, parts));
  }
  for (const page of documents.FORM_PAGES) {
    const body = await documents.renderPublicPage(page.path);
    const parts = {
      head: headOf(page, documents),
      preloads: await preloadsOf(clientDir, ["start", "BackendFrame", chunkOf(page, documents)]),
      // Typed input is carried over by field name (src/app/start.tsx); nothing can be submitted before that.
      body: body.replace(
        /<(?:button|(?:input|select|textarea)(?![^>]*\sname=))(?=[\s>])/g,
        '$& disabled=""',
      ),
      start: "replace",
    } as const;
    await writePage(clientDir, page.path, documentOf(shell, parts));
  }
  for (const { from, to } of documents.REDIRECTS) {
    await writePage(clientDir, from, redirectDocument(to));
  }
  await writeFile(path.join(clientDir, "sitemap.xml"), sitemap(documents));
  await writeFile(path.join(clientDir, "robots.txt"), robots(documents));
  console.log(
    `prerender: ${documents.RENDERED_PAGES.length} pages, ${documents.FORM_PAGES.length} forms, ` +
      `${documents.REDIRECTS.length} redirects`,
  );
}

try {
  await prerenderClient(path.resolve(process.argv[2] ?? path.join(ROOT, "dist", "client")));
} finally {
  await rm(SERVER_DIR, { recursive: true, force: true });
}
