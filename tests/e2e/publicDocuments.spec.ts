/** The public pages as documents: heads, links, accessibility, data for search engines. */
import type { APIRequestContext } from "@playwright/test";
import { NOT_YET_ONLINE_PATHS } from "../../src/lib/paths";
import { expectNoSidewaysScroll, expectNoViolations } from "./support/accessible";
import { PUBLIC_PAGES } from "./support/places";
import { expect, expectLoaded, test } from "./support/test";

const NOT_YET = "This page is not available yet";

/** A page as it is without scripts. */
interface PlainDocument {
  readonly html: string;
  readonly title: string;
  readonly headings: readonly string[];
  /** The value of an attribute of the first element that matches. */
  readonly attribute: (element: RegExp, name: string) => string;
}

async function readDocument(request: APIRequestContext, url: string): Promise<PlainDocument> {
  const response = await request.get(url);
  expect(response.status(), url).toBe(200);
  const html = await response.text();
  return {
    html,
    title: /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "",
    headings: [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/gs)].map((match) => match[1] ?? ""),
    attribute: (element, name) =>
      new RegExp(`${name}="([^"]*)"`).exec(element.exec(html)?.[0] ?? "")?.[1] ?? "",
  };
}

test("every page is a document with its own title, description, canonical URL and structured data", async ({
  server,
  request,
}) => {
  const titles = new Set<string>();
  const descriptions = new Set<string>();
  for (const path of PUBLIC_PAGES) {
    const page = await readDocument(request, server.url + path);
    expect(page.headings, path).toHaveLength(1);
    expect(page.html.match(/<main/g), path).toHaveLength(1);
    expect(page.html, path).toContain("Skip to main content");
    titles.add(page.title);
    descriptions.add(page.attribute(/<meta name="description"[^>]*>/, "content"));
    const canonical = page.attribute(/<link rel="canonical"[^>]*>/, "href");
    expect(new URL(canonical).pathname).toBe(path);
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page.html)?.[1] ?? "";
    expect(JSON.parse(data)).toMatchObject({ "@type": "BankOrCreditUnion" });
    const picture = page.attribute(/<meta property="og:image"[^>]*>/, "content");
    const answer = await request.get(server.url + new URL(picture).pathname);
    expect(answer.headers()["content-type"]).toBe("image/png");
  }
  expect(titles.size).toBe(PUBLIC_PAGES.length);
  expect(descriptions.size).toBe(PUBLIC_PAGES.length);
  for (const title of titles) expect(title).toContain("Wrenmoor Credit Union");
});

test("an address in capitals hydrates without errors", async ({ visit }) => {
  const page = await visit("/About/?from=card#main");
  await expectLoaded(page);
  await expect(page).toHaveTitle(/^About/);
  await expect(page).toHaveURL(/\/about\?from=card#main$/);
  await page.goto(new URL("/Dashboard", page.url()).href);
  await expect(page).toHaveURL(/\/login$/);
});

test("the support address is one word for screen readers and searches", async ({ visit }) => {
  const page = await visit("/contact");
  const address = page.getByRole("main").getByRole("link", {
    name: "support@wrenmoor.example",
    exact: true,
  });
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(address).toBeVisible();
  }
});

test("no public page has a dead link", { tag: "@long" }, async ({ server, request }) => {
  const waiting: string[] = [...PUBLIC_PAGES, ...NOT_YET_ONLINE_PATHS, "/register"];
  const seen = new Set<string>();
  while (waiting.length > 0) {
    const address = waiting.pop() ?? "/";
    if (seen.has(address)) continue;
    seen.add(address);
    const [path = "/", fragment] = address.split("#");
    const page = await readDocument(request, server.url + path);
    const redirect = page.attribute(/<meta http-equiv="refresh"[^>]*>/, "content");
    if (redirect !== "") {
      waiting.push(redirect.replace(/^0; url=/, ""));
      continue;
    }
    // The document for signed-in and unknown pages has no heading.
    expect(page.headings, address).toHaveLength(1);
    if (page.headings[0] === NOT_YET) expect(NOT_YET_ONLINE_PATHS).toContain(path);
    if (fragment) expect(page.html, address).toContain(` id="${fragment}"`);
    for (const match of page.html.matchAll(/<a\s[^>]*href="(\/[^"]*)"/g)) {
      waiting.push(match[1] ?? "/");
    }
  }
  expect(seen.size).toBeGreaterThan(PUBLIC_PAGES.length + NOT_YET_ONLINE_PATHS.length);
});

test("sitemap, robots and manifest are correct", async ({ server, request }) => {
  const sitemap = await (await request.get(`${server.url}/sitemap.xml`)).text();
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    (match) => new URL(match[1] ?? "").pathname,
  );
  expect(listed.sort()).toEqual([...PUBLIC_PAGES].sort());
  const robots = await (await request.get(`${server.url}/robots.txt`)).text();
  expect(robots).toContain("Disallow: /admin");
  expect(robots).toMatch(/^Sitemap: https?:\/\/\S+\/sitemap\.xml$/m);
  const manifest = (await (await request.get(`${server.url}/manifest.webmanifest`)).json()) as {
    name: string;
    icons: { src: string }[];
  };
  expect(manifest.name).toBe("Wrenmoor Credit Union");
  for (const icon of manifest.icons) {
    const answer = await request.get(server.url + icon.src);
    expect(answer.headers()["content-type"]).toBe("image/png");
  }
});

for (const colorScheme of ["light", "dark"] as const) {
  test(
    `public pages have no accessibility violations and never scroll sideways (${colorScheme})`,
    { tag: colorScheme === "dark" ? "@long" : [] },
    async ({ visit, server }) => {
      test.setTimeout(180_000);
      const page = await visit("/", { colorScheme });
      for (const path of [...PUBLIC_PAGES, "/locations"]) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(server.url + path);
        await expectLoaded(page);
        await expectNoViolations(page, path);
        await page.setViewportSize({ width: 320, height: 640 });
        await expectNoSidewaysScroll(page, path);
      }
    },
  );
}
