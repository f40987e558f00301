/**
 * A page opened before a new release may call a function whose name is gone. A form then says only that it failed, and
 * would again, until the page is reloaded.
 *
 * Not here: files of the page that are gone (loadPart).
 */
import { currentToasts, showToast } from "./toasts";

const NOTICE = {
  title: "A new version is available",
  body: "Reload the page to use it.",
};

/** Says so if this page is older than the server. It is not reloaded: what was typed may not be kept. */
export async function noticeNewRelease(): Promise<void> {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  if (entry === null) return;
  const served = await servedPage();
  // Each release has an entry of its own name.
  if (served === null || served.includes(new URL(entry.src).pathname)) return;
  if (currentToasts().every(({ title }) => title !== NOTICE.title)) showToast(NOTICE);
}

/** The document at this address as it is served now; null while there is none. */
async function servedPage(): Promise<string | null> {
  try {
    const page = await fetch(window.location.href, { cache: "no-store" });
    return page.ok ? await page.text() : null;
  } catch {
    return null;
  }
}
