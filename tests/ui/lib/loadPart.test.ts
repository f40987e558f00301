import { afterEach, expect, test, vi } from "vitest";
import { loadPage, loadPart, PartUnavailableError } from "../../../src/lib/loadPart";

afterEach(() => vi.unstubAllGlobals());

const FORM = { form: "form" };

test("a part whose file does not arrive is not imported, and asked for again by the next who needs it", async () => {
  const answers = [
    () => Promise.reject(new TypeError("no connection")),
    // A proxy whose server is away.
    () => Promise.resolve(new Response("away", { status: 502 })),
    () => Promise.resolve(new Response("code")),
  ];
  const fetchFile = vi.fn((_href: string) => answers.shift()?.());
  vi.stubGlobal("fetch", fetchFile);
  const importForm = vi.fn(() => Promise.resolve(FORM));
  const load = () => loadPart(importForm, ["assets/form.js"]);
  await expect(load()).rejects.toThrow(PartUnavailableError);
  await expect(load()).rejects.toThrow(PartUnavailableError);
  expect(importForm).not.toHaveBeenCalled();
  expect(await Promise.all([load(), load()])).toEqual([FORM, FORM]);
  expect(fetchFile.mock.calls).toEqual(
    Array.from({ length: 3 }, () => [`${window.location.origin}/assets/form.js`]),
  );
});

test("what a page is made of is preloaded and imported at once, and not fetched for its parts again", async () => {
  const fetchFile = vi.fn();
  vi.stubGlobal("fetch", fetchFile);
  const href = `${window.location.origin}/assets/route.js`;
  const load = () => loadPart(() => Promise.resolve(FORM), ["assets/route.js"]);
  expect(await loadPage(load)).toBe(FORM);
  expect(document.querySelectorAll(`link[rel="modulepreload"][href="${href}"]`)).toHaveLength(1);
  expect(await load()).toBe(FORM);
  expect(fetchFile).not.toHaveBeenCalled();
});
