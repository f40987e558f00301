/**
 * Attacks on the HTTP layer: oversized and half-sent requests, malformed addresses and upgrades, fake
 * images, other people's files, missing headers, crafted page paths. Bytes are sent raw, because a
 * client would correct them.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { WireClient } from "../embedded/sync/wire";
import { DEMO, enter, openBank, outcomeOf, stateOf, type Bank, type Visitor } from "./bank";
import { as, call, post } from "./wireCalls";

const TIMEOUT_MS = 120_000;
const MEGABYTE = 1_000_000;

let bank: Bank;
let root: Visitor;
let maya: Visitor;
let omar: Visitor;
/** The client's files for this test, and a secret file next to them. */
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "attacked-files-"));
  const staticDir = path.join(folder, "client");
  mkdirSync(path.join(staticDir, "assets"), { recursive: true });
  writeFileSync(path.join(staticDir, "index.html"), "<!doctype html><title>page</title>");
  writeFileSync(path.join(staticDir, "assets", "a.js"), "1");
  writeFileSync(path.join(folder, "keys.json"), "TOP-SECRET");
  bank = await openBank({}, { staticDir });
  root = await enter(bank, DEMO.admin);
  maya = await enter(bank, DEMO.maya);
  omar = await enter(bank, DEMO.omar);
}, TIMEOUT_MS);

afterAll(async () => {
  await bank.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends bytes; returns what comes back until the server has answered or closed the connection. */
function raw(bytes: string | Buffer): Promise<string> {
  const { port } = new URL(bank.origin);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), "127.0.0.1");
    let received = "";
    const done = () => {
      socket.destroy();
      resolve(received);
    };
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (received.includes("\r\n\r\n")) done();
    });
    socket.on("error", done);
    socket.on("close", done);
    socket.write(bytes);
  });
}

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, `Host: ${new URL(bank.origin).host}`, ...headers, "", ""].join("\r\n");
const UPGRADE = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];
const statusIn = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

test("TH37 a body of five megabytes is refused by its declared length, before any of it is buffered", async () => {
  for (const target of ["/api/mutation", "/api/query", "/api/run/contact/send"]) {
    const announced = head(
      `POST ${target}`,
      "Content-Type: application/json",
      `Content-Length: ${5 * MEGABYTE}`,
    );
    expect([target, statusIn(await raw(announced))]).toEqual([target, 413]);
  }
  // Without a declared length: cut off as soon as the limit is exceeded.
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
    },
  });
  const endless = await fetch(`${bank.origin}/api/mutation`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    duplex: "half",
  } as RequestInit).then(
    ({ status }) => status,
    () => 413,
  );
  expect(endless).toBe(413);
  // A WebSocket frame of five megabytes is refused by its header, too.
  const wire = await WireClient.connect(bank.origin);
  wire.mutate(0, "contact:send", { name: "x".repeat(5 * MEGABYTE) });
  expect(await wire.untilClosed()).toBe(1009);
});

/** The start of a PNG: signature and dimensions. */
function png(width: number, height: number, tail = ""): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(64 + tail.length);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  bytes.set(Buffer.from(tail, "latin1"), 64);
  return bytes;
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const upload = (body: BodyInit, headers: Record<string, string> = as(maya), side = "front") =>
  fetch(`${bank.origin}/api/deposit-images?side=${side}`, { method: "POST", headers, body });
const idIn = async (answer: Response) => ((await answer.json()) as { imageId: string }).imageId;
const imageAt = (imageId: string, person?: Visitor) =>
  fetch(`${bank.origin}/api/deposit-images/${imageId}`, {
    headers: person === undefined ? {} : as(person),
  });

test("TH40 files that are no picture, and decompression bombs, are refused and not stored", async () => {
  const before = stateOf(bank);
  const html = "<html><script>alert(1)</script></html>";
  const refused: readonly [name: string, body: BodyInit, status: number][] = [
    ["a drawing with a script", SVG, 415],
    ["a signature before a drawing", `\x89PNG\r\n\x1a\n${SVG}`, 415],
    ["another kind of picture", "GIF89a\x01\x00\x01\x00", 415],
    ["a script that starts like a picture", "GIF89a=1;alert(1)//", 415],
    ["a page", html, 415],
    ["an archive", "PK\x03\x04", 415],
    ["a document", "%PDF-1.7", 415],
    ["nothing", "", 415],
    ["a pixel bomb", png(40_000, 40_000), 415],
    ["a flat bomb", png(4_000_000_000, 1), 415],
    ["eleven megabytes", new Uint8Array(11 * MEGABYTE), 413],
  ];
  for (const [name, body, status] of refused) {
    const answer = await upload(body, { ...as(maya), "content-type": "image/png" });
    expect([name, answer.status]).toEqual([name, status]);
  }
  expect(stateOf(bank)).toBe(before);
});

test("TH40 a picture that contains HTML is only ever served as a picture", async () => {
  const polyglot = await upload(png(800, 400, "<html><script>alert(1)</script>"));
  const shown = await imageAt(await idIn(polyglot), maya);
  expect(shown.headers.get("content-type")).toBe("image/png");
  expect(shown.headers.get("x-content-type-options")).toBe("nosniff");
  expect(shown.headers.get("content-security-policy")).toContain("script-src 'self'");
  expect(shown.headers.get("cache-control")).toBe("private, no-store");
});

test("TH41 a cheque's picture is served to its owner and administrators only; no file address leaks", async () => {
  const imageId = await idIn(await upload(png(800, 400)));
  expect((await imageAt(imageId, maya)).status).toBe(200);
  expect((await imageAt(imageId, root)).status).toBe(200);
  const [foreign, none] = [await imageAt(imageId, omar), await imageAt("x", omar)];
  expect([foreign.status, await foreign.text()]).toEqual([none.status, await none.text()]);
  expect(foreign.status).toBe(404);
  expect((await imageAt(imageId)).status).toBe(401);
  // Another member's picture cannot be submitted as one's own either.
  const frontImageId = imageId;
  const backImageId = await idIn(await upload(png(800, 400), as(omar), "back"));
  const submit = omar.http.mutation(api.mobileDeposits.submit, {
    toAccount: "Checking",
    amountCents: 100n,
    frontImageId,
    backImageId,
    requestKey: "TH41",
  });
  expect(await outcomeOf(submit)).not.toBe("ok");
  for (const guess of ["x", imageId, "../keys.json", "00000000-0000-0000-0000-000000000000"]) {
    expect((await fetch(`${bank.origin}/api/storage/${guess}`)).status).toBe(404);
  }
});

test("TH49 HTTP actions refuse other methods, oversized bodies, and callers without a session", async () => {
  const url = `${bank.origin}/api/deposit-images`;
  expect((await upload(png(800, 400), {})).status).toBe(401);
  expect((await upload(png(800, 400), { authorization: "Bearer x" })).status).toBe(401);
  expect((await upload(png(800, 400), { authorization: "Basic eDp5" })).status).toBe(401);
  const half = await enter(bank, DEMO.omar, null);
  expect((await upload(png(800, 400), as(half))).status).toBe(401);
  const applicant = await enter(bank, DEMO.lena, null);
  expect((await upload(png(800, 400), as(applicant))).status).toBe(403);
  expect((await upload(png(800, 400), as(maya), "under")).status).toBe(400);
  for (const method of ["PUT", "DELETE", "PATCH", "TRACE"]) {
    const line = head(`${method} /api/deposit-images`, `Authorization: ${as(maya).authorization}`);
    const status = statusIn(await raw(line));
    expect([method, [404, 405].includes(status)]).toEqual([method, true]);
  }
  const announced = head("POST /api/deposit-images?side=front", `Content-Length: ${25 * MEGABYTE}`);
  expect(statusIn(await raw(announced))).toBe(413);
  expect((await fetch(url, { headers: as(maya) })).status).toBe(404);
});

const WANTED_HEADERS = [
  /content-security-policy: [^\r]*script-src 'self';[^\r]*frame-ancestors 'none'/i,
  /x-content-type-options: nosniff/i,
  /x-frame-options: deny/i,
  /referrer-policy: no-referrer/i,
  /cross-origin-opener-policy: same-origin/i,
  /permissions-policy: /i,
];

test("TH46 every response has the security headers, whatever its route and status", async () => {
  const requests: Readonly<Record<number, string[]>> = {
    200: [head("GET /"), head("GET /assets/a.js"), head("GET /healthz"), head("GET /any/page")],
    204: [head("OPTIONS /api/query")],
    400: [
      head("GET /api/x", "Bad Header: x"),
      "NONSENSE\r\n\r\n",
      head("GET http://other.example/api/sync", ...UPGRADE),
      head("POST /api/run/%ff", "Content-Type: application/json", "Content-Length: 2") + "{}",
      "GET / HTTP/1.1\r\n\r\n",
      head("GET /api/sync", ...UPGRADE.slice(0, 3)),
    ],
    401: [head("GET /api/deposit-images/x"), head("POST /api/query", "Authorization: Bearer x")],
    403: [
      head("GET /", "Origin: https://evil.example"),
      head("GET /api/sync", "Origin: https://evil.example", ...UPGRADE),
    ],
    404: [
      head("GET /missing.js"),
      head("GET /api/nothing"),
      head("GET /api/storage/x"),
      head("GET /.well-known/nothing"),
      head("GET /elsewhere", ...UPGRADE),
      head("GET //", ...UPGRADE),
      // An upgrade that is not known is none.
      head("GET /api/sync", "Connection: Upgrade", "Upgrade: h2c"),
    ],
    405: [head("DELETE /")],
    413: [head("POST /api/query", "Content-Type: application/json", "Content-Length: 99999999")],
    415: [head("POST /api/query", "Content-Length: 2") + "{}"],
    417: [head("POST /api/query", "Expect: 200-perhaps", "Content-Length: 2") + "{}"],
    431: [head("GET /", `X-Long: ${"x".repeat(20_000)}`)],
  };
  for (const [status, lines] of Object.entries(requests)) {
    for (const line of lines) {
      const answer = await raw(line);
      const name = line.slice(0, 60);
      expect([name, statusIn(answer)]).toEqual([name, Number(status)]);
      const missing = WANTED_HEADERS.filter((wanted) => !wanted.test(answer));
      expect([name, missing]).toEqual([name, []]);
    }
  }
  expect(await raw(head("GET /"))).not.toMatch(/x-powered-by|^server:/im);
});

test("malformed addresses and upgrades get a response, and the server keeps running", async () => {
  const lines = [
    head("GET //", ...UPGRADE),
    head("GET http://[", ...UPGRADE),
    head("GET http://["),
    "GET / HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n",
    head("GET /api/storage/%00"),
    head("POST /api/run/%ff", "Content-Type: application/json", "Content-Length: 2") + "{}",
  ];
  for (const line of lines) {
    const status = statusIn(await raw(line));
    expect([line.slice(0, 40), status >= 400 && status < 500]).toEqual([line.slice(0, 40), true]);
  }
  expect((await fetch(`${bank.origin}/healthz`)).status).toBe(200);
});

test("no path gives access to files outside of the client's folder", async () => {
  const ways = ["/../keys.json", "/%2e%2e/keys.json", "/..%2fkeys.json", "/assets/../../keys.json"];
  const more = ["/....//keys.json", "/%5c..%5ckeys.json", "//keys.json", "/%00/../keys.json"];
  for (const way of [...ways, ...more]) {
    expect([way, (await raw(head(`GET ${way}`))).includes("TOP-SECRET")]).toEqual([way, false]);
  }
});

test("line breaks in addresses and headers cannot inject a header", async () => {
  for (const line of [head("GET /%0d%0aX-Evil:%201"), head("GET /api/x%0d%0aX-Evil:%201")]) {
    expect(await raw(line)).not.toMatch(/^x-evil/im);
  }
  const mirrored = await raw(
    head(
      "OPTIONS /api/query",
      `Origin: ${bank.origin}`,
      "Access-Control-Request-Headers: a\x0bX-Evil: 1",
    ),
  );
  expect(mirrored).not.toMatch(/^x-evil/im);
});

test("the size of a query batch is limited, so that one request cannot delay others", async () => {
  const query = JSON.parse(call("viewer:get", {})) as object;
  const batch = (count: number) => JSON.stringify({ queries: Array(count).fill(query) });
  expect((await post(bank, "query_batch" as never, batch(100))).status).toBe(200);
  expect((await post(bank, "query_batch" as never, batch(101))).status).toBe(400);
});
