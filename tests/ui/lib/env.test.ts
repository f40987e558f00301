/** Addresses that a build is given: with a slash at the end they are the same. */
import { afterEach, expect, test, vi } from "vitest";
import { canonicalUrl } from "../../../src/features/marketing/pages";
import { deploymentUrl, siteUrl } from "../../../src/lib/env";

afterEach(() => void vi.unstubAllEnvs());

test.each(["", "/"])("a deployment's addresses may end with %j", (end) => {
  vi.stubEnv("VITE_CONVEX_URL", `https://bank.convex.cloud${end}`);
  expect([deploymentUrl(), siteUrl()]).toEqual([
    "https://bank.convex.cloud",
    "https://bank.convex.site",
  ]);
  vi.stubEnv("VITE_CONVEX_SITE_URL", `https://actions.example${end}`);
  expect(siteUrl()).toBe("https://actions.example");
});

test.each(["", "/"])("the published address of the pages may end with %j", (end) => {
  vi.stubEnv("VITE_SITE_URL", `https://bank.example${end}`);
  expect(["/", "/about"].map(canonicalUrl)).toEqual([
    "https://bank.example/",
    "https://bank.example/about",
  ]);
});

test("without them, the page's own origin is asked", () => {
  expect([deploymentUrl(), siteUrl()]).toEqual([window.location.origin, window.location.origin]);
});
