/** How a server determines its clients' addresses, and which host names it accepts. */
import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import {
  accessPolicy,
  clientAddress,
  corsHeaders,
  isAllowed,
  ownOrigins,
} from "../../../embedded/server/access";
import { proxyHint } from "../../../embedded/server/proxyHint";

const asked = (remoteAddress: string, headers: Record<string, string>) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

describe("a trusted proxy", () => {
  test.each([
    ["::ffff:10.0.0.1", "10.0.0.1"],
    ["10.0.0.1", "::ffff:10.0.0.1"],
    ["2001:DB8::1", "2001:db8::1"],
    ["2001:db8:0:0:0:0:0:1", "2001:db8::1"],
  ])("named as %s is believed when it connects as %s", (named, connects) => {
    const policy = accessPolicy(["https://b.example"], named);
    expect(clientAddress(policy, asked(connects, { "x-forwarded-for": "1.2.3.4" }))).toBe(
      "1.2.3.4",
    );
    expect(clientAddress(policy, asked("10.0.0.9", { "x-forwarded-for": "1.2.3.4" }))).toBe(
      "10.0.0.9",
    );
  });

  test.each([
    ["1.2.3.4:5678", "1.2.3.4"],
    ["[2001:db8::1]:5678", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["9.9.9.9, 2001:DB8:0::1", "2001:db8::1"],
    ["unknown", "10.0.0.1"],
    ["", "10.0.0.1"],
  ])("that forwards for %j forwards for %s", (forwarded, address) => {
    const policy = accessPolicy(["https://b.example"], "10.0.0.1");
    expect(clientAddress(policy, asked("10.0.0.1", { "x-forwarded-for": forwarded }))).toBe(
      address,
    );
  });
});

test("a server that trusts a proxy tells once when another one forwards", () => {
  const lines: string[] = [];
  const policy = accessPolicy(["https://b.example"], "127.0.0.1");
  const hint = proxyHint(policy, (line) => lines.push(line));
  hint(asked("127.0.0.1", { "x-forwarded-for": "1.2.3.4" }));
  hint(asked("10.88.0.1", {}));
  expect(lines).toEqual([]);
  hint(asked("10.88.0.1", { "x-forwarded-for": "1.2.3.4" }));
  hint(asked("10.88.0.1", { "x-forwarded-for": "1.2.3.4" }));
  expect(lines).toEqual([expect.stringContaining("10.88.0.1 forwards requests")]);
});

test.each(["::1", "::"])("a server that listens at %s answers to that of this machine", (host) => {
  const policy = accessPolicy(ownOrigins(host, 3000, "http://127.0.0.1:3000"), null);
  expect(isAllowed(policy, asked("::1", { host: "[::1]:3000" }))).toBe(true);
  expect(isAllowed(policy, asked("::1", { host: "[::2]:3000" }))).toBe(false);
});

test("a server that listens everywhere has no name at 0.0.0.0, by which pages of other sites reach this machine", () => {
  const policy = accessPolicy(ownOrigins("0.0.0.0", 3000, "https://b.example"), null);
  expect(isAllowed(policy, asked("127.0.0.1", { host: "127.0.0.1:3000" }))).toBe(true);
  expect(isAllowed(policy, asked("127.0.0.1", { host: "0.0.0.0:3000" }))).toBe(false);
});

test("an origin that is not served gets no permission to read", () => {
  const policy = accessPolicy(["https://b.example"], null);
  const given = (origin: string) =>
    Object.keys(corsHeaders(policy, asked("10.0.0.9", { host: "b.example", origin })));
  expect(given("https://b.example")).toContain("Access-Control-Allow-Origin");
  expect(given("https://other.example")).toEqual([]);
});
