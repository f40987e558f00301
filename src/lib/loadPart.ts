/**
 * Every `import()` of the built client goes through this, in place of Vite's own preloading (vite.config.ts).
 *
 * Browsers remember for the life of a document that a module could not be fetched, and never request it again (WHATWG
 * HTML, issue 6768): one moment without a connection would cost a form, or what makes a button work, until a reload,
 * which loses what was typed. So the files of a part are fetched first, and imported from the browser's cache once all
 * are there.
 *
 * Not here: drawing a part, and drawing it again (lazyPart).
 */

/** A part of the page did not arrive. None of it has run; it may be requested again. */
export class PartUnavailableError extends Error {
  override readonly name = "PartUnavailableError";
}

/**
 * How long nothing of a file may arrive: on a slow line, that long behind others. On one that swallows everything,
 * browsers wait for a quarter of an hour.
 */
const SILENT_MS = 60_000;

const RELOAD_KEY = "reloadedAtMs";
const RELOAD_AGAIN_AFTER_MS = 60_000;

/** Files that are here or on their way, by address. */
const files = new Map<string, Promise<void>>();
const HERE = Promise.resolve();
let isPage = false;
/** Of the page that the document was loaded for. */
let firstPath = "";

/**
 * Fetches the files at `paths` (below the root, as Vite lists them) and then imports the part.
 *
 * @throws PartUnavailableError when a file or the part did not arrive.
 */
export async function loadPart<Part>(
  importPart: () => Promise<Part>,
  paths: readonly string[] = [],
): Promise<Part> {
  if (files.size === 0) noteDocument();
  const hrefs = paths.map((path) => `${window.location.origin}/${path}`);
  if (isPage && window.location.pathname === firstPath) hrefs.forEach(preloadOnce);
  else await Promise.all(hrefs.map(fetchOnce)).catch(isPage ? reloadAndThrow : undefined);
  try {
    return await importPart();
  } catch (error) {
    return reloadAndThrow(
      new PartUnavailableError("A part of the page could not be imported", { cause: error }),
    );
  }
}

/** Without waiting for the reload, which may not come. */
function reloadAndThrow(error: unknown): never {
  void reloadNewRelease();
  throw error;
}

/**
 * Calls `importPage`, whose `import()` then takes the shortest way on the page that the document was loaded for: there is
 * nothing yet to lose if it has to be reloaded. A later page is fetched like any part, as browsers wait for a module for ever.
 */
export function loadPage<Page>(importPage: () => Promise<Page>): Promise<Page> {
  isPage = true;
  try {
    return importPage();
  } finally {
    isPage = false;
  }
}

/** Lets the next part that cannot be imported reload the page, however recently that was done. */
export function allowReload(): void {
  try {
    sessionStorage.removeItem(RELOAD_KEY);
  } catch {
    // Nothing can be kept here, so nothing was.
  }
}

/** Notes for which page the document was loaded, and what it requests itself: its entry, and what it preloads. */
function noteDocument(): void {
  firstPath = window.location.pathname;
  for (const { src } of document.scripts) files.set(src, HERE);
  const preloads = document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]');
  for (const { href } of preloads) files.set(href, HERE);
}

function preloadOnce(href: string): void {
  if (files.has(href)) return;
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.crossOrigin = "";
  link.href = href;
  document.head.append(link);
  files.set(href, HERE);
}

function fetchOnce(href: string): Promise<void> {
  const known = files.get(href);
  if (known !== undefined) return known;
  const fetching = fetchFile(href);
  files.set(href, fetching);
  fetching.catch(() => files.delete(href));
  return fetching;
}

async function fetchFile(href: string): Promise<void> {
  const attempt = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expectMore = () => {
    clearTimeout(timer);
    timer = setTimeout(() => attempt.abort(), SILENT_MS);
  };
  expectMore();
  try {
    const response = await fetch(href, { signal: attempt.signal });
    // A proxy also answers while the server behind it is away. A missing file counts as fetched: its import reports it.
    if (response.status >= 500) throw new Error(`status ${response.status}`);
    const body = response.body?.getReader();
    while (body !== undefined && !(await body.read()).done) expectMore();
  } catch (error) {
    throw new PartUnavailableError("A part of the page could not be fetched", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A page opened before a new release requests files that are gone: loads the new release, once. While the server is
 * away the page stays: there is nothing else to load, and what was typed would be lost.
 */
export async function reloadNewRelease(): Promise<void> {
  // It works without the application, and may be on its way to the page of a link: a reload would keep it here.
  if (document.querySelector('[data-start="on-use"]') !== null) return;
  const page = await fetch(window.location.href, { method: "HEAD", cache: "no-store" }).catch(
    () => null,
  );
  if (page?.ok !== true) return;
  if (noteReload()) window.location.reload();
}

/** False if it was reloaded just now, and where that cannot be kept: it might be reloaded for ever. */
function noteReload(): boolean {
  try {
    const lastMs = Number(sessionStorage.getItem(RELOAD_KEY) ?? 0);
    // A clock that was set back since must not put it off.
    if (Math.abs(Date.now() - lastMs) < RELOAD_AGAIN_AFTER_MS) return false;
    sessionStorage.setItem(RELOAD_KEY, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}
