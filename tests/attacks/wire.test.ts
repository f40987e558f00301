/**
 * Attacks by request contents: ids of others, extra fields, amounts, replays, skipped steps, oversized and
 * crafted payloads, origins, code paths, spoofed addresses. Each has its number of the threat model and
 * comes over the wire.
 *
 * Long because the attacks of one kind share one running bank, which takes seconds to open.
 */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { api } from "../../convex/_generated/api";
import { WireClient, type Frame } from "../embedded/sync/wire";
import {
  DEMO,
  DEMO_CODES,
  enter,
  httpClient,
  internalTransfer,
  ledgerProblems,
  openBank,
  outcomeOf,
  stateOf,
  tally,
  userTransfer,
  type Bank,
  type Visitor,
} from "./bank";
import { as, call, post as postTo, wireCents, wireTransfer, type Kind } from "./wireCalls";

const TIMEOUT_MS = 120_000;

let bank: Bank;
let root: Visitor;
let maya: Visitor;
let vera: Visitor;

beforeAll(async () => {
  bank = await openBank({ DEMO: "0" });
  root = await enter(bank, DEMO.admin);
  maya = await enter(bank, DEMO.maya);
  vera = await enter(bank, DEMO.vip);
}, TIMEOUT_MS);

afterAll(() => bank.close());

const post = (kind: Kind, body: string, headers: Record<string, string> = {}) =>
  postTo(bank, kind, body, headers);

/** The call does not succeed, and no document changes. */
async function expectRefused(answer: () => Promise<{ status: number; text: string }>) {
  const before = stateOf(bank);
  const { status, text } = await answer();
  const isSuccess = status === 200 && text.includes('"status":"success"');
  expect([isSuccess, text]).toEqual([false, text]);
  expect(stateOf(bank)).toBe(before);
}

describe("arguments", () => {
  test("TH20, TH21, TH22 ids of other people and of other tables are refused", async () => {
    const victim = await root.http.mutation(api.admin.users.findByEmail, { email: DEMO.vip });
    const details =
      victim &&
      (await root.http.query(api.admin.users.get, victim.userId && { userId: victim.userId }));
    const accountId = details?.accounts[0]?._id ?? "";
    const [card] = await vera.http.query(api.cards.listMine, {});
    for (const id of [accountId, victim?.userId ?? "", "", "x".repeat(5_000), "../..", "1"]) {
      await expectRefused(() =>
        post("mutation", call("transfers:submit", wireTransfer({ fromAccount: id })), as(maya)),
      );
    }
    for (const cardId of [card?._id ?? "", "nothing"]) {
      expect(await outcomeOf(maya.http.mutation(api.cards.lock, { cardId }))).toMatch(/NOT_FOUND/);
    }
    const receipt = await vera.http.mutation(api.transfers.submit, internalTransfer());
    const { transferId } = receipt;
    expect(await maya.http.query(api.transfers.receipt, { transferId })).toBeNull();
  });

  test("TH29 another person who resends a request does not get its result", async () => {
    const sessionId = randomUUID();
    const args = wireTransfer({ amountCents: wireCents(700n) });
    const ask = async (person: Visitor) => {
      const wire = await WireClient.connect(bank.origin, { sessionId });
      wire.send({ type: "Authenticate", tokenType: "User", value: person.token, baseVersion: 0 });
      wire.mutate(0, "transfers:submit", args);
      const answer = await wire.untilType("MutationResponse");
      wire.cut();
      return answer;
    };
    const ofVera = await ask(vera);
    expect(ofVera.success).toBe(true);
    const ofMaya = await ask(maya);
    const idOf = ({ result }: Frame) => (result as { transferId?: string }).transferId;
    expect(idOf(ofMaya)).not.toBe(idOf(ofVera));
    expect((await ask(vera)).result).toEqual(ofVera.result);
  });

  test("TH30 one's own e-mail in another spelling is still refused as recipient", async () => {
    const variants = [
      "VIP@Demo.example",
      "  vip@demo.example ",
      "ｖｉｐ@demo.example",
      "v\u200bip@demo.example",
      "vip\ufeff@demo.example\u00a0",
      "v\u00adip@demo.example",
    ];
    for (const email of variants) {
      const send = vera.http.mutation(api.transfers.submit, userTransfer(email));
      expect([email, await outcomeOf(send)]).toEqual([email, "OWN_ACCOUNT"]);
    }
  });

  test("TH31, TH32 the confirmation accepts only one's own pending transfer", async () => {
    const omar = await enter(bank, DEMO.omar);
    const { pendingId } = await omar.http.mutation(api.transfers.startExternal, {
      fromAccount: "Checking",
      toBank: "Alder & Finch Bank",
      routingNumber: "990010139",
      accountNumber: "123456789",
      accountName: "Omar",
      amountCents: 100n,
      reference: "rent",
      requestKey: randomUUID(),
    });
    const code = DEMO_CODES[1];
    for (const [person, id] of [
      [maya, pendingId],
      [omar, "nothing"],
    ] as const) {
      await expectRefused(() =>
        post("mutation", call("transfers:confirmExternal", { pendingId: id, code }), as(person)),
      );
    }
    const changed = { pendingId, code, amountCents: wireCents(1n) };
    await expectRefused(() =>
      post("mutation", call("transfers:confirmExternal", changed), as(omar)),
    );
  });
});

describe("frames and bodies", () => {
  const connect = async () => {
    const wire = await WireClient.connect(bank.origin);
    return wire;
  };

  test("TH38 endless nesting is refused and the server keeps running", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const body = `{"path":"contact:send","args":{"name":${deep}},"format":"json"}`;
    await expectRefused(() => post("mutation", body));
    const wire = await connect();
    wire.send(
      `{"type":"Mutation","requestId":0,"udfPath":"contact:send","args":[{"name":${deep}}]}`,
    );
    // Refused with a message or by closing the connection, but never ignored.
    const ended = wire.until(({ type }) => type === "FatalError").catch(() => null);
    await Promise.race([ended, wire.untilClosed()]);
    expect((await fetch(`${bank.origin}/healthz`)).status).toBe(200);
  });

  test("TH39 prototypes and wire markers cannot be smuggled in", async () => {
    const tricks = [
      '{"__proto__":{"role":"admin"}}',
      '{"constructor":{"prototype":{"isAdmin":true}}}',
      '{"$commitTs":1}',
      '{"$integer":"AAAAAAAAAAA="}',
      '{"$undefined":null}',
    ];
    for (const trick of tricks) {
      const args = `{"fromAccount":"Checking","transferType":"internal","toAccount":"Savings","reference":${trick},"requestKey":"x","amountCents":{"$integer":"ZAAAAAAAAAA="}}`;
      const body = `{"path":"transfers:submit","args":${args},"format":"json"}`;
      await expectRefused(() => post("mutation", body, as(vera)));
      const wire = await connect();
      wire.send({ type: "Authenticate", tokenType: "User", value: vera.token, baseVersion: 0 });
      const before = stateOf(bank);
      wire.send(`{"type":"Mutation","requestId":1,"udfPath":"transfers:submit","args":[${args}]}`);
      const answer = await wire
        .until(({ type }) => type === "MutationResponse" || type === "FatalError")
        .catch(() => ({ success: false }));
      expect([trick, (answer as Frame).success === true]).toEqual([trick, false]);
      expect(stateOf(bank)).toBe(before);
    }
    expect(({} as { role?: string }).role).toBeUndefined();
    const around = `{"path":"accounts:listMine","args":{"__proto__":{"x":1}},"format":"json"}`;
    await expectRefused(() => post("query", around, as(vera)));
  });

  test("TH57 only registered functions can be called, each as its own kind", async () => {
    const paths = [
      "auth:__proto__",
      "auth:toString",
      "auth:constructor",
      "../auth:store",
      "auth:store",
      "auth.js:store",
      "authSteps:startTry",
      "authSteps.js:register",
      "dev/seed:demo",
      "_system/frontend/tables",
      "_system/cli/tables:default",
      "model/ledger:post",
      "",
      ":",
      "a:b:c",
    ];
    for (const functionPath of paths) {
      for (const kind of ["query", "mutation", "action"] as const) {
        await expectRefused(() => post(kind, call(functionPath, {})));
      }
    }
    await expectRefused(() => post("mutation", call("accounts:listMine", {}), as(maya)));
    await expectRefused(() => post("query", call("transfers:submit", wireTransfer()), as(maya)));
  });

  test("TH55 internal errors are not revealed", async () => {
    const { text } = await post("mutation", call("transfers:submit", { nonsense: true }), as(maya));
    expect(text).toContain("Server Error");
    expect(text).not.toMatch(/nonsense|validator|node_modules|\.ts|\bat /i);
  });

  test("TH54 log lines cannot be forged through sign-in", async () => {
    const args = { provider: "password", params: {}, calledBy: "a\n[ADMIN] ok\u001b[2J" };
    await expectRefused(() => post("action", call("auth:signIn", args)));
    const { calledBy } = args;
    await expectRefused(() => post("action", call("auth:signIn", { calledBy })));
    expect(bank.logLines.join("")).not.toContain("\u001b");
    expect(bank.logLines.join("\n")).not.toContain("\n[ADMIN] ok");
  });
});

describe("origin of a request", () => {
  const status = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      request(`${bank.origin}/api/query`, { method: "POST", headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
        .on("error", reject)
        .end("{}");
    });
  const handshake = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${bank.origin.replace("http", "ws")}/api/1.48.0/sync`, {
        headers,
      });
      socket.once("unexpected-response", (_, answer) => resolve(answer.statusCode ?? 0));
      socket.once("open", () => resolve(101));
      socket.once("error", () => undefined);
      socket.once("close", () => undefined);
    });

  test("TH47 other origins and other host names are refused at the handshake", async () => {
    const strange: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { host: "evil.example" },
      { origin: "null" },
    ];
    for (const headers of strange) {
      expect([headers, await handshake(headers)]).toEqual([headers, 403]);
      expect([headers, await status(headers)]).toEqual([headers, 403]);
    }
    expect(await handshake({ origin: bank.origin })).toBe(101);
  });

  test("TH48 no other site may read responses (CORS)", async () => {
    for (const method of ["OPTIONS", "POST", "GET"]) {
      const answer = await fetch(`${bank.origin}/api/query`, {
        method,
        headers: {
          origin: "https://evil.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization",
        },
      });
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("TH56 a forged address in a header does not bypass a limit", async () => {
    const contact = (number: number) =>
      post(
        "mutation",
        call("contact:send", {
          name: "Zoe",
          email: `z${number}@mail.example`,
          subject: "general",
          message: "x",
          preferredContact: "email",
        }),
        { "x-forwarded-for": `203.0.113.${number}`, "x-real-ip": `203.0.113.${number}` },
      );
    const outcomes: boolean[] = [];
    for (let number = 0; number < 12; number++) {
      outcomes.push((await contact(number)).text.includes("RATE_LIMITED"));
    }
    expect(outcomes.filter((isLimited) => isLimited)).toHaveLength(2);
  });
});

test("TH51 the client's code contains no server modules, keys or codes", () => {
  const root = path.resolve(import.meta.dirname, "..", "..", "src");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(files.length).toBeGreaterThan(50);
  const secrets = [...DEMO_CODES, "JWT_PRIVATE_KEY", "OTP_HMAC_KEY", DEMO.vip];
  const found = files.filter((name) => {
    const text = readFileSync(path.join(root, name), "utf8");
    return secrets.some((secret) => text.includes(secret));
  });
  expect(found).toEqual([]);
});

test("after all attacks the ledger is sound and nobody has gained money", async () => {
  expect(await ledgerProblems(root)).toEqual([]);
  expect(await tally([httpClient(bank).query(api.viewer.get, {})])).toEqual({ ok: 1 });
});
