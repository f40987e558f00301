/** The client's files: which document is served at which address, and in which encoding. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { startTestServer } from "./testServer";
import { temporaryDir } from "../../support/temporaryDir";

describe("pages", () => {
  test("are pre-rendered, compressed and cached, and all others are answered 404", async () => {
    const staticDir = temporaryDir();
    mkdirSync(path.join(staticDir, "about"));
    mkdirSync(path.join(staticDir, "assets"));
    writeFileSync(path.join(staticDir, "index.html"), "home");
    writeFileSync(path.join(staticDir, "dashboard.html"), "application");
    writeFileSync(path.join(staticDir, "404.html"), "nothing here");
    writeFileSync(path.join(staticDir, "about", "index.html"), "about");
    writeFileSync(path.join(staticDir, "assets", "a-123.js"), "code");
    writeFileSync(path.join(staticDir, "assets", "a-123.js.gz"), "zipped");
    const { origin } = await startTestServer({ staticDir });
    const text = async (route: string) => (await fetch(origin + route)).text();
    expect(await text("/")).toBe("home");
    expect(await text("/about")).toBe("about");
    expect(await text("/dashboard")).toBe("application");
    expect(await text("/About/")).toBe("about");
    for (const route of [
      "/nowhere",
      "/dashboard/nowhere",
      "/404",
      "/dashboard.html",
      "/about/index.html",
      "/index",
      "/About/Index/",
      "/50%off",
      "/about%2F",
    ]) {
      const missing = await fetch(origin + route);
      expect([missing.status, await missing.text()], route).toEqual([404, "nothing here"]);
      const headers = { "If-None-Match": missing.headers.get("etag") ?? "" };
      expect((await fetch(missing.url, { headers })).status, route).toBe(404);
    }
    // Must not be a page instead of code, and must not be cached: it may exist in the next release.
    const missing = await fetch(`${origin}/assets/missing.js`);
    expect([missing.status, missing.headers.get("cache-control")]).toEqual([404, "no-store"]);
    expect(await missing.text()).not.toBe("nothing here");
    expect((await fetch(`${origin}/..%2f..%2fpackage.json`)).status).toBe(404);
    const asset = await fetch(`${origin}/assets/a-123.js`, { method: "HEAD" });
    expect(asset.headers.get("cache-control")).toContain("immutable");
    expect(asset.headers.get("content-encoding")).toBe("gzip");
    expect(asset.headers.get("vary")).toBe("Accept-Encoding");
    const page = await fetch(`${origin}/about`);
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const etag = page.headers.get("etag") ?? "";
    const again = await fetch(`${origin}/about`, { headers: { "If-None-Match": etag } });
    expect(again.status).toBe(304);
    const newer = await fetch(`${origin}/about`, { headers: { "If-None-Match": '"old"' } });
    expect([newer.status, await newer.text()]).toEqual([200, "about"]);
  });

  test("come in an encoding that the browser takes", async () => {
    const staticDir = temporaryDir();
    writeFileSync(path.join(staticDir, "index.html"), "home");
    writeFileSync(path.join(staticDir, "index.html.br"), "brotli");
    writeFileSync(path.join(staticDir, "index.html.gz"), "zipped");
    const { origin } = await startTestServer({ staticDir });
    const encodingFor = async (accepted: string) => {
      const headers = { "Accept-Encoding": accepted };
      const answer = await fetch(origin, { method: "HEAD", headers });
      return answer.headers.get("content-encoding");
    };
    expect(await encodingFor("gzip, deflate, br;q=0.5")).toBe("br");
    expect(await encodingFor("br;q=0, GZIP")).toBe("gzip");
    expect(await encodingFor("identity, br;q=0.0, x-gzip")).toBeNull();
  });

  test("are those of the build with which the server started, also while another one replaces it", async () => {
    const staticDir = temporaryDir();
    writeFileSync(path.join(staticDir, "index.html"), "home");
    writeFileSync(path.join(staticDir, "about.html"), "about");
    const { origin } = await startTestServer({ staticDir });
    rmSync(path.join(staticDir, "about.html"));
    writeFileSync(path.join(staticDir, "index.html"), "new home");
    const text = async (route: string) => (await fetch(origin + route)).text();
    expect([await text("/"), await text("/about")]).toEqual(["home", "about"]);
  });

  test("with thousands of slashes in their address cost as little as others", async () => {
    const staticDir = temporaryDir();
    writeFileSync(path.join(staticDir, "index.html"), "home");
    const { origin } = await startTestServer({ staticDir });
    const before = process.cpuUsage();
    for (let asked = 0; asked < 20; asked++) await fetch(`${origin}/${"/".repeat(15_000)}x`);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
    expect(await (await fetch(`${origin}${"/".repeat(1_000)}`)).text()).toBe("home");
  });
});
