/** The HTTP side: user routes, the API, pages, headers, limits. */
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { ADMIN_KEY, newHttpClient, startTestServer } from "./testServer";
import { temporaryDir } from "../../support/temporaryDir";

const JSON_TYPE = { "Content-Type": "application/json" };

describe("HTTP actions", () => {
  test("see the address that people use, as the trusted proxy tells it, and nobody else", async () => {
    const forwarded = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "bank.example" };
    const seenBehind = async (trustedProxy: string | null) => {
      const { origin } = await startTestServer({ trustedProxy });
      const answer = await fetch(`${origin}/api/echo`, { method: "POST", headers: forwarded });
      return { seen: answer.headers.get("x-origin"), own: origin };
    };
    expect(await seenBehind("127.0.0.1")).toMatchObject({ seen: "https://bank.example" });
    const { seen, own } = await seenBehind(null);
    expect(seen).toBe(own);
  });

  test("get their routes, also below /api, with query and body", async () => {
    const { origin } = await startTestServer();
    const answer = await fetch(`${origin}/api/echo?x=1`, { method: "POST", body: "hello" });
    expect([answer.status, answer.headers.get("x-echo"), await answer.text()]).toEqual([
      201,
      "1",
      "hello",
    ]);
  });

  test("are over, too, when their answer has a header that cannot be sent", async () => {
    const { origin, backend } = await startTestServer();
    const answer = await fetch(`${origin}/api/echo?x=%01`, { method: "POST", body: "hello" });
    expect(answer.status).toBe(500);
    let isOver = false;
    void backend.runtime.drain(2 * PATIENCE.timeout).then(() => (isOver = true));
    await vi.waitFor(() => expect(isOver).toBe(true), PATIENCE);
  });

  test("run with a bad token; only asking for the identity fails", async () => {
    const { origin } = await startTestServer({ isRedacting: true });
    const anonymous = await fetch(`${origin}/who/am-i`);
    expect(await anonymous.json()).toEqual({ subject: null });
    const bad = await fetch(`${origin}/who/am-i`, { headers: { Authorization: "Bearer x.y.z" } });
    expect(bad.status).toBe(500);
    expect(await bad.text()).not.toContain("Uncaught");
  });

  test("hide what went wrong when redacted", async () => {
    const { origin } = await startTestServer({ isRedacting: true });
    const text = await (await fetch(`${origin}/broken`)).text();
    expect(text).toMatch(/Request ID/);
    expect(text).not.toContain("secret detail");
  });

  test("tell what went wrong when not redacted", async () => {
    const { origin } = await startTestServer();
    const { code, trace } = (await (await fetch(`${origin}/broken`)).json()) as Record<
      string,
      string
    >;
    expect(code).toMatch(/^\[Request ID: \w+\] Server Error: Uncaught Error: secret detail$/);
    expect(trace).toMatch(/^Uncaught Error: secret detail\n/);
  });

  test("hand over what they were refused with, also when redacted", async () => {
    const { origin } = await startTestServer({ isRedacting: true });
    const answer = (await (await fetch(`${origin}/refused`)).json()) as Record<string, unknown>;
    expect(Object.keys(answer)).toEqual(["code", "data"]);
    expect(answer.data).toEqual({ code: "REFUSED", amount: { $integer: "BQAAAAAAAAA=" } });
  });
});

describe("what no HTTP action can be asked", () => {
  /** The server's response to these bytes. */
  const answerTo = (port: number, text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1" }, () => void socket.write(text));
      socket.once("data", (data) => {
        resolve(data.toString());
        socket.destroy();
      });
      socket.once("error", reject);
    });

  test.each([
    ["a method that requests do not have", "TRACE /http/echo", 405],
    ["an address with credentials", "GET http://u:p@127.0.0.1/http/echo", 400],
    ["an address of another host", "GET http://other.example/http/echo", 400],
    ["no address", "OPTIONS *", 400],
    ["two hosts", "GET /http/echo HTTP/1.1\r\nHost: other.example\r\nX:", 400],
  ])("is refused without a word in the log: %s", async (_what, start, status) => {
    const { port, sitePort, logLines } = await startTestServer({ sitePort: 0 });
    for (const at of [port, sitePort ?? 0]) {
      const answer = await answerTo(at, `${start} HTTP/1.1\r\nHost: 127.0.0.1:${at}\r\n\r\n`);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    }
    expect(logLines).toEqual([]);
  });

  test("is answered before a body comes that no route takes", async () => {
    const { port } = await startTestServer();
    const head = `POST /api/auth/nothing HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 9999999\r\n\r\n`;
    expect(await answerTo(port, head)).toMatch(/^HTTP\/1.1 404 /);
  });
});

describe("the API", () => {
  test("wants JSON", async () => {
    const { origin } = await startTestServer();
    for (const type of ["text/plain", "application/json5", "application/jsonx; charset=utf-8"]) {
      const init = { method: "POST", body: "{}", headers: { "Content-Type": type } };
      expect((await fetch(`${origin}/api/query`, init)).status).toBe(415);
    }
  });

  test.each([
    ["malformed JSON", "{", 400],
    ["a prototype key", '{"path":"messages:list","args":{"__proto__":{"channel":"a"}}}', 400],
    ["endless nesting", `{"path":"m","args":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, 400],
    ["no path", "{}", 400],
    ["no object", "null", 400],
    ["two arguments", '{"path":"messages:list","args":[{},{}]}', 400],
    ["a component", '{"path":"messages:list","args":{"channel":"a"},"componentPath":"x"}', 400],
    ["bytes that are no text", Buffer.from('{"path":"m","args":{"a":"\xff"}}', "latin1"), 400],
  ])("refuses %s", async (_title, body, status) => {
    const { origin } = await startTestServer();
    const answer = await fetch(`${origin}/api/query`, { method: "POST", body, headers: JSON_TYPE });
    expect(answer.status).toBe(status);
  });

  test("refuses bodies past the limit", async () => {
    const { origin } = await startTestServer();
    const body = JSON.stringify({
      path: "messages:list",
      args: { channel: "x".repeat(5_000_000) },
    });
    const answer = await fetch(`${origin}/api/query`, { method: "POST", body, headers: JSON_TYPE });
    expect(answer.status).toBe(413);
  });

  test("refuses a body past the limit also when it does not say how long it is", async () => {
    const { origin } = await startTestServer();
    const chunk = new TextEncoder().encode(" ".repeat(1024 * 1024));
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 3) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const init = { method: "POST", body, headers: JSON_TYPE, duplex: "half" as const };
    expect((await fetch(`${origin}/api/query`, init)).status).toBe(413);
  });

  test("answers a query at a timestamp until something is written", async () => {
    const server = await startTestServer();
    const post = (route: string, body: object) =>
      fetch(`${server.origin}/api/${route}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: JSON_TYPE,
      });
    const { ts } = (await (await post("query_ts", {})).json()) as { ts: string };
    const ask = () => post("query_at_ts", { path: "messages:list", args: { channel: "a" }, ts });
    expect(await (await ask()).json()).toEqual({ status: "success", value: [] });
    await newHttpClient(server).mutation(chat.send, { channel: "a", body: "later" });
    const late = await ask();
    expect([late.status, await late.json()]).toEqual([
      400,
      expect.objectContaining({ code: "SnapshotExpired" }),
    ]);
  });

  test("runs a function that the address names, with a colon or with slashes", async () => {
    const { origin } = await startTestServer();
    for (const name of ["messages/list", "messages:list"]) {
      const answer = await fetch(`${origin}/api/run/${name}`, {
        method: "POST",
        body: '{"args":{"channel":"a"}}',
        headers: JSON_TYPE,
      });
      expect(await answer.json()).toEqual({ status: "success", value: [] });
    }
  });

  test("answers unknown routes with 404 and bad tokens with 401", async () => {
    const { origin } = await startTestServer();
    const unknown = await fetch(`${origin}/api/nothing`, {
      method: "POST",
      body: "{}",
      headers: JSON_TYPE,
    });
    expect(unknown.status).toBe(404);
    for (const authorization of ["Bearer a.b.c", `Basic ${ADMIN_KEY}`]) {
      const refused = await fetch(`${origin}/api/query`, {
        method: "POST",
        body: '{"path":"messages:list","args":{"channel":"a"}}',
        headers: { ...JSON_TYPE, Authorization: authorization },
      });
      expect(refused.status).toBe(401);
    }
  });

  test("runs internal functions for the admin key alone", async () => {
    const { origin } = await startTestServer();
    const call = (authorization: string) =>
      fetch(`${origin}/api/function`, {
        method: "POST",
        body: '{"path":"messages:insertThenFail","args":{"channel":"a"},"format":"json"}',
        headers: { ...JSON_TYPE, Authorization: authorization },
      });
    expect((await call("Convex wrong")).status).toBe(401);
    expect(await (await call(`Convex ${ADMIN_KEY}`)).text()).toContain("child failed");
  });

  test("lets the administrator act as a user", async () => {
    const { origin } = await startTestServer();
    const user = Buffer.from(JSON.stringify({ issuer: "i", subject: "ada" })).toString("base64");
    const answer = await fetch(`${origin}/api/query`, {
      method: "POST",
      body: '{"path":"messages:whoAmI","args":{}}',
      headers: { ...JSON_TYPE, Authorization: `Convex ${ADMIN_KEY}:${user}` },
    });
    expect(await answer.json()).toEqual({ status: "success", value: "ada" });
  });

  test.each(["null", "5", '["ada"]', "{"])(
    "lets nobody act as %s, which is no user",
    async (json) => {
      const { origin } = await startTestServer();
      const user = Buffer.from(json).toString("base64");
      const answer = await fetch(`${origin}/api/query`, {
        method: "POST",
        body: '{"path":"messages:whoAmI","args":{}}',
        headers: { ...JSON_TYPE, Authorization: `Convex ${ADMIN_KEY}:${user}` },
      });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ code: "InvalidAuthHeader" });
    },
  );

  test("changes the environment that functions see", async () => {
    const server = await startTestServer();
    const http = newHttpClient(server);
    const answer = await fetch(`${server.origin}/api/update_environment_variables`, {
      method: "POST",
      body: '{"changes":[{"name":"GIVEN","value":"changed"}]}',
      headers: { ...JSON_TYPE, Authorization: `Convex ${ADMIN_KEY}` },
    });
    expect(answer.status).toBe(200);
    expect(await http.query(chat.environment, {})).toEqual({
      site: server.origin,
      given: "changed",
      path: null,
      hasBuffer: false,
    });
  });
});

describe("every response", () => {
  test("leaves the connection open for longer than a proxy keeps an idle one", async () => {
    const { origin } = await startTestServer();
    const { headers } = await fetch(`${origin}/healthz`);
    expect(Number(/timeout=(\d+)/.exec(headers.get("keep-alive") ?? "")?.[1])).toBeGreaterThan(120);
  });

  test("carries the security headers, whatever its route and status", async () => {
    const staticDir = temporaryDir();
    writeFileSync(path.join(staticDir, "index.html"), "<p>shell</p>");
    const { origin } = await startTestServer({ staticDir });
    for (const route of [
      "/",
      "/healthz",
      "/api/nothing",
      "/broken",
      "/missing.js",
      "/api/storage/x",
    ]) {
      const { headers } = await fetch(origin + route);
      expect(headers.get("content-security-policy"), route).toMatch(
        /frame-ancestors 'none'|sandbox/,
      );
      expect(headers.get("content-security-policy")).not.toMatch(/script-src[^;]*unsafe/);
      expect(headers.get("x-content-type-options"), route).toBe("nosniff");
      expect(headers.get("referrer-policy"), route).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy"), route).toBe("same-origin");
      expect(headers.get("permissions-policy"), route).toContain("camera=(self)");
      if (/^\/(api|healthz)/.test(route)) expect(headers.get("cache-control")).toBe("no-store");
    }
  });
});
