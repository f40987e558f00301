/** The server's own address, the clients it accepts, and queries by GET. */
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { connect, createServer } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { chat } from "../fixtures/chatApi";
import { newHttpClient, startTestServer } from "./testServer";
import { temporaryDir } from "../../support/temporaryDir";

/** Why listening on this port fails; null, after listening for a moment, when it succeeds. */
const refusalAt = (port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const other = createServer();
    other.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code ?? ""));
    other.listen(port, "127.0.0.1", () => other.close(() => resolve(null)));
  });

/** A raw request with headers that fetch would not let through. */
function rawStatus(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on("error", reject);
    request.end();
  });
}

function socketOutcome(url: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/1.48.0/sync`, { headers });
    socket.on("open", () => {
      socket.close();
      resolve("open");
    });
    socket.on("error", (error) => resolve(error.message));
  });
}

test("a free port is the server's own from the moment its functions learn of it", async () => {
  let port = 0;
  let refusal: string | null = null;
  const server = await startTestServer({
    port: 0,
    env: (origin) => {
      port = Number(new URL(origin).port);
      return {};
    },
    beforeServing: async () => {
      refusal = await refusalAt(port);
    },
  });
  expect(refusal).toBe("EADDRINUSE");
  expect(server.port).toBe(port);
  expect((await fetch(`${server.origin}/healthz`)).ok).toBe(true);
});

test("a start that fails when it already listens leaves the port free", async () => {
  const dataDir = temporaryDir();
  // Takes the place of the server's own note.
  mkdirSync(path.join(dataDir, "running.json"));
  let port = 0;
  const env = (origin: string) => {
    port = Number(new URL(origin).port);
    return {};
  };
  await expect(startTestServer({ port: 0, env, dataDir })).rejects.toThrow("directory");
  expect(await refusalAt(port)).toBeNull();
});

describe("GET /api/query", () => {
  test("runs a query with the arguments of its address, with the caller's rights", async () => {
    const { origin } = await startTestServer();
    await newHttpClient({ origin }).mutation(chat.send, { channel: "g", body: "by address" });
    const ask = async (path: string, args: string): Promise<unknown> =>
      (await fetch(`${origin}/api/query?${new URLSearchParams({ path, args })}`)).json();
    const wanted = { status: "success", value: ["by address"] };
    expect(await ask("messages:list", '{"channel":"g"}')).toEqual(wanted);
    expect(await ask("messages:list", '[{"channel":"g"}]')).toEqual(wanted);
    expect(await ask("messages:send", "{}")).toMatchObject({ status: "error" });
    expect(await ask("messages:list", "no json")).toMatchObject({ code: "BadJsonBody" });
  });
});

describe("access", () => {
  test("answers its own origin only when told so", async () => {
    const { origin, port } = await startTestServer({ allowedOrigins: [] });
    expect(await rawStatus(`${origin}/healthz`, { Host: "evil.example" })).toBe(403);
    expect(await rawStatus(`${origin}/healthz`, { Origin: "https://evil.example" })).toBe(403);
    expect(await rawStatus(`${origin}/healthz`, { Host: `localhost:${port}` })).toBe(200);
    expect(await rawStatus(`${origin}/healthz`, { Origin: origin })).toBe(200);
    expect(await rawStatus(`${origin}/healthz`, { Host: `u:p@localhost:${port}` })).toBe(400);
    expect(await socketOutcome(origin, { Origin: "https://evil.example" })).toContain("403");
    expect(await socketOutcome(origin, { Host: "evil.example" })).toContain("403");
    expect(await socketOutcome(origin, {})).toBe("open");
  });

  test("knows its host with the port that everybody means", async () => {
    const { port } = await startTestServer({
      publicOrigin: "https://bank.example",
      allowedOrigins: [],
    });
    for (const [host, status] of [
      ["bank.example", 200],
      ["bank.example:443", 200],
      ["BANK.example:80", 200],
      ["bank.example:8443", 403],
    ] as const) {
      expect([host, await rawStatus(`http://127.0.0.1:${port}/healthz`, { Host: host })]).toEqual([
        host,
        status,
      ]);
    }
  });

  test("refuses an address that a proxy may have read as another one", async () => {
    const { port } = await startTestServer();
    const statusOf = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = httpRequest({ host: "127.0.0.1", port, path }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        asked.on("error", reject).end();
      });
    const ways = [
      "/x\\..\\healthz",
      "/x/../healthz",
      "/x/.%2E/healthz",
      "/./healthz",
      "/healthz/x/..",
    ];
    for (const way of ways) expect([way, await statusOf(way)]).toEqual([way, 400]);
    expect(await statusOf("/healthz?x=/../\\")).toBe(200);
    expect(await statusOf("/healthz")).toBe(200);
  });

  test("serves whoever speaks HTTP/1.0, and names no host", async () => {
    const { port } = await startTestServer();
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write("GET /healthz HTTP/1.0\r\n\r\n");
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 200 /);
  });

  test("gives other origins no permission to read", async () => {
    const { origin } = await startTestServer({ allowedOrigins: [] });
    const preflight = await fetch(`${origin}/api/query`, {
      method: "OPTIONS",
      headers: { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("mirrors origins when open, as the official local backend does", async () => {
    const { origin } = await startTestServer();
    const preflight = await fetch(`${origin}/api/query`, {
      method: "OPTIONS",
      headers: { Origin: "https://a.example", "Access-Control-Request-Headers": "authorization" },
    });
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      "access-control-allow-origin": "https://a.example",
      "access-control-allow-headers": "authorization",
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "*",
      vary: "Origin",
    });
  });
});

/** An open connection, or why it was refused. */
function openSocket(origin: string, address?: string): Promise<WebSocket | string> {
  const headers: Record<string, string> = address ? { "X-Forwarded-For": address } : {};
  const socket = new WebSocket(`${origin.replace("http", "ws")}/api/1.48.0/sync`, { headers });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve) => {
    socket.on("open", () => resolve(socket));
    socket.on("error", ({ message }) => resolve(message));
  });
}

test("a server holds as many connections as it may, and one that closes makes room", async () => {
  const { origin } = await startTestServer({ connectionsMax: 2 });
  const first = await openSocket(origin);
  expect(await openSocket(origin)).toBeInstanceOf(WebSocket);
  expect(await openSocket(origin)).toBe("Unexpected server response: 503");
  (first as WebSocket).close();
  await expect.poll(() => openSocket(origin)).toBeInstanceOf(WebSocket);
});

test("one address holds as many connections as it may, and this machine any number", async () => {
  const { origin } = await startTestServer({
    trustedProxy: "127.0.0.1",
    connectionsPerAddressMax: 2,
  });
  const opened = (address?: string) => openSocket(origin, address);
  const refused = "Unexpected server response: 429";
  for (const [mine, alike, other] of [
    ["203.0.113.1", "::ffff:203.0.113.1", "203.0.113.2"],
    ["2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1"],
  ] as const) {
    const first = await opened(mine);
    expect(await opened(alike)).toBeInstanceOf(WebSocket);
    expect(await opened(mine)).toBe(refused);
    expect(await opened(alike)).toBe(refused);
    expect(await opened(other)).toBeInstanceOf(WebSocket);
    // A closed connection makes room for another one.
    (first as WebSocket).close();
    await expect.poll(() => opened(mine)).toBeInstanceOf(WebSocket);
    expect(await opened(mine)).toBe(refused);
  }
  for (let count = 0; count < 3; count++) expect(await opened()).toBeInstanceOf(WebSocket);
});

test("half-sent bodies of one address take a part of the room for them, and leave others theirs", async () => {
  const { origin, port } = await startTestServer({ trustedProxy: "127.0.0.1" });
  const bytes = 2 * 1024 * 1024;
  const start = [
    "POST /api/query HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "X-Forwarded-For: 203.0.113.1",
    "Content-Type: application/json",
    `Content-Length: ${bytes}`,
  ];
  // More than the 64 MiB of one address.
  const refused = Array.from({ length: 40 }, async () => {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    socket.write([...start, "", ""].join("\r\n"));
    socket.write(Buffer.alloc(bytes - 1, " "));
    const [answer] = (await once(socket, "data")) as [Buffer];
    return answer.toString().split("\r\n")[0];
  });
  expect(await Promise.race(refused)).toBe("HTTP/1.1 503 Service Unavailable");
  const answer = await fetch(`${origin}/api/query`, {
    method: "POST",
    headers: { "X-Forwarded-For": "203.0.113.2", "Content-Type": "application/json" },
    body: "{}".padEnd(bytes),
  });
  // Read to its end, and found to name no function.
  expect(answer.status).toBe(400);
});

test("the room that a body takes is free once it is read, also where it is refused", async () => {
  const messageMaxBytes = 40 * 1024 * 1024;
  const { origin } = await startTestServer({ trustedProxy: "127.0.0.1", messageMaxBytes });
  const headers = { "X-Forwarded-For": "203.0.113.1", "Content-Type": "application/json" };
  const call = '{"path":"messages:list","args":{"channel":"a"}}';
  // Two of them at once would be more than one address may have.
  for (const [start, status] of [
    ["{", 400],
    [call, 200],
    [call, 200],
  ] as const) {
    const body = start.padEnd(messageMaxBytes);
    const answer = await fetch(`${origin}/api/query`, { method: "POST", headers, body });
    expect([start, answer.status]).toEqual([start, status]);
  }
});
