/** What browsers are told that a page of this server may do. */
import { expect, test } from "vitest";
import { securityHeaders } from "../../../embedded/server/securityHeaders";
import type { ServeOptions } from "../../../embedded/serveOptions";
import { startTestServer } from "./testServer";

const policyOf = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    (headers["Content-Security-Policy"] ?? "").split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources.join(" ")];
    }),
  );

test("a page loads, embeds and sends nothing beyond its own origin, and is embedded nowhere", () => {
  const policy = policyOf(securityHeaders({ frames: [], isSecure: false }));
  expect(policy).toMatchObject({
    "default-src": "'self'",
    "script-src": "'self'",
    "connect-src": "'self'",
    "frame-src": "'none'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
  });
});

test("a widget's origin may be embedded and asked, and nothing else of it", () => {
  const origin = "https://widget.example";
  const policy = policyOf(securityHeaders({ frames: [origin], isSecure: false }));
  const named = Object.keys(policy).filter((name) => policy[name]?.includes(origin));
  expect(named).toEqual(["connect-src", "frame-src"]);
});

test("over TLS browsers are bound to it for two years, and else not at all", () => {
  const boundBy = (isSecure: boolean) =>
    securityHeaders({ frames: [], isSecure })["Strict-Transport-Security"];
  expect(boundBy(true)).toBe(`max-age=${2 * 365 * 24 * 60 * 60}; includeSubDomains`);
  expect(boundBy(false)).toBeUndefined();
});

test("no page learns or does more than the product needs", () => {
  expect(securityHeaders({ frames: [], isSecure: false })).toMatchObject({
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), payment=(), usb=()",
  });
});

test("files are shown by pages of other origins only where every origin may connect", async () => {
  const policyOn = async (options: Partial<ServeOptions>) => {
    const { origin } = await startTestServer(options);
    return (await fetch(`${origin}/http/hello`)).headers.get("cross-origin-resource-policy");
  };
  expect(await policyOn({ allowedOrigins: null })).toBe("cross-origin");
  expect(await policyOn({ allowedOrigins: [] })).toBe("same-origin");
  expect(await policyOn({ allowedOrigins: ["https://one.example"] })).toBe("same-origin");
});
