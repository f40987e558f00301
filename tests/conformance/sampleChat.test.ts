/**
 * An independent application, written like any Convex project (own schema, own generated code, the
 * official clients), runs on `npm run embedded` unchanged: the backend does not depend on the bank.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { makeFunctionReference } from "convex/server";
import type { Value } from "convex/values";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startEmbedded, type EmbeddedProcess } from "../support/embeddedProcess";
import { ROOT } from "../support/sources";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const FILES: Record<string, string> = {
  "package.json": JSON.stringify({ name: "chat", type: "module", dependencies: { convex: "*" } }),
  "convex/schema.ts": `
    import { defineSchema, defineTable } from "convex/server";
    import { v } from "convex/values";
    export default defineSchema({
      rooms: defineTable({ name: v.string(), messageCount: v.int64() }).index("by_name", ["name"]),
      messages: defineTable({
        room: v.id("rooms"),
        author: v.string(),
        body: v.string(),
        attachment: v.optional(v.id("_storage")),
      }).index("by_room", ["room"]),
    });`,
  "convex/rooms.ts": `
    import { ConvexError, v } from "convex/values";
    import { mutation, query } from "./_generated/server";
    export const create = mutation({
      args: { name: v.string() },
      returns: v.id("rooms"),
      handler: async (ctx, { name }) => {
        const taken = await ctx.db.query("rooms").withIndex("by_name", (q) => q.eq("name", name)).unique();
        if (taken !== null) throw new ConvexError({ code: "NAME_TAKEN", name });
        return await ctx.db.insert("rooms", { name, messageCount: 0n });
      },
    });
    export const list = query({ args: {}, handler: (ctx) => ctx.db.query("rooms").collect() });`,
  "convex/messages.ts": `
    import { paginationOptsValidator } from "convex/server";
    import { v } from "convex/values";
    import { internal } from "./_generated/api";
    import { action, internalMutation, mutation, query } from "./_generated/server";
    export const send = mutation({
      args: { room: v.id("rooms"), author: v.string(), body: v.string(), attachment: v.optional(v.id("_storage")) },
      handler: async (ctx, message) => {
        const room = await ctx.db.get(message.room);
        await ctx.db.patch(message.room, { messageCount: room!.messageCount + 1n });
        return await ctx.db.insert("messages", message);
      },
    });
    export const page = query({
      args: { room: v.id("rooms"), paginationOpts: paginationOptsValidator },
      handler: (ctx, { room, paginationOpts }) =>
        ctx.db.query("messages").withIndex("by_room", (q) => q.eq("room", room)).order("desc").paginate(paginationOpts),
    });
    export const latest = query({
      args: { room: v.id("rooms") },
      handler: async (ctx, { room }) => {
        const found = await ctx.db.query("messages").withIndex("by_room", (q) => q.eq("room", room)).order("desc").take(10);
        return await Promise.all(found.map(async ({ body, attachment }) => ({
          body,
          url: attachment === undefined ? null : await ctx.storage.getUrl(attachment),
        })));
      },
    });
    export const uploadUrl = mutation({ args: {}, handler: (ctx) => ctx.storage.generateUploadUrl() });
    export const sendVanishing = mutation({
      args: { room: v.id("rooms"), body: v.string() },
      handler: async (ctx, { room, body }) => {
        const message = await ctx.db.insert("messages", { room, author: "ghost", body });
        await ctx.scheduler.runAfter(50, internal.messages.vanish, { message });
      },
    });
    export const vanish = internalMutation({
      args: { message: v.id("messages") },
      handler: (ctx, { message }) => ctx.db.delete(message),
    });
    export const shout = action({
      args: { room: v.id("rooms"), body: v.string() },
      handler: async (ctx, { room, body }): Promise<string> => {
        const { api } = await import("./_generated/api");
        return await ctx.runMutation(api.messages.send, { room, author: "megaphone", body: body.toUpperCase() });
      },
    });`,
  "convex/http.ts": `
    import { httpRouter } from "convex/server";
    import { api } from "./_generated/api";
    import { httpAction } from "./_generated/server";
    const http = httpRouter();
    http.route({
      path: "/rooms",
      method: "GET",
      handler: httpAction(async (ctx) => {
        const rooms = await ctx.runQuery(api.rooms.list, {});
        return Response.json(rooms.map(({ name }) => name));
      }),
    });
    export default http;`,
};

type Args = Record<string, Value>;
const query = <R>(name: string) => makeFunctionReference<"query", Args, R>(name);
const mutation = <R>(name: string) => makeFunctionReference<"mutation", Args, R>(name);
const latest = query<{ body: string; url: string | null }[]>("messages:latest");
const send = mutation<string>("messages:send");

let dir = "";
let server: EmbeddedProcess;
let origin = "";
let site = "";
let client: ConvexClient;

beforeAll(async () => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "sample-chat-"));
  for (const [name, text] of Object.entries(FILES)) {
    fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    fs.writeFileSync(path.join(dir, name), text);
  }
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(dir, "node_modules"));
  const cli = path.join(ROOT, "node_modules", "convex", "bin", "main.js");
  const codegen = ["codegen", "--system-udfs", "--typecheck", "disable"];
  const nowhere = ["--url", "http://127.0.0.1:1", "--admin-key", "x"];
  execFileSync(process.execPath, [cli, ...codegen, ...nowhere], { cwd: dir, stdio: "ignore" });
  server = await startEmbedded({
    functionsDir: path.join(dir, "convex"),
    dataDir: path.join(dir, "data"),
    hasSitePort: true,
  });
  origin = server.origin;
  site = server.siteOrigin;
  client = new ConvexClient(origin, { logger: false });
});

afterAll(async () => {
  await client.close();
  expect(await server.stop()).toBe(0);
  fs.rmSync(dir, { recursive: true, force: true });
});

/** Resolves with the first value of a live query that matches. */
function until<R>(name: ReturnType<typeof query<R>>, args: Args, isWanted: (value: R) => boolean) {
  return new Promise<R>((resolve) => {
    const stop = client.onUpdate(name, args, (value) => {
      if (!isWanted(value)) return;
      resolve(value);
      queueMicrotask(() => stop());
    });
  });
}

test("rooms and messages appear live, and a taken name is refused with its data", async () => {
  const room = await client.mutation(mutation<string>("rooms:create"), { name: "lobby" });
  await client.mutation(send, { room, author: "ann", body: "hello" });
  const [message] = await until(latest, { room }, (list) => list.length === 1);
  expect(message).toEqual({ body: "hello", url: null });
  const again = client.mutation(mutation("rooms:create"), { name: "lobby" });
  await expect(again).rejects.toMatchObject({ data: { code: "NAME_TAKEN", name: "lobby" } });
  const rooms = await client.query(query<{ messageCount: bigint }[]>("rooms:list"), {});
  expect(rooms.map(({ messageCount }) => messageCount)).toEqual([1n]);
});

test("a scheduled function removes a message", async () => {
  const room = await client.mutation(mutation<string>("rooms:create"), { name: "haunted" });
  const vanishing = mutation("messages:sendVanishing");
  const appeared = until(latest, { room }, (list) => list.length === 1);
  await client.mutation(vanishing, { room, body: "boo" });
  expect((await appeared)[0]?.body).toBe("boo");
  expect(await until(latest, { room }, (list) => list.length === 0)).toEqual([]);
});

test("a file is uploaded, attached and downloaded", async () => {
  const room = await client.mutation(mutation<string>("rooms:create"), { name: "pictures" });
  const uploadUrl = await client.mutation(mutation<string>("messages:uploadUrl"), {});
  const answer = await fetch(uploadUrl, {
    method: "POST",
    headers: { "Content-Type": "text/plain" },
    body: "bytes of a picture",
  });
  const { storageId } = (await answer.json()) as { storageId: string };
  await client.mutation(send, { room, author: "ann", body: "see", attachment: storageId });
  const [message] = await until(latest, { room }, (list) => list.length === 1);
  expect(await (await fetch(message?.url ?? "")).text()).toBe("bytes of a picture");
});

test("pages, actions and HTTP actions answer, the latter on the second port as well", async () => {
  const http = new ConvexHttpClient(origin, { logger: false });
  const room = await http.mutation(mutation<string>("rooms:create"), { name: "long" });
  for (let n = 0; n < 5; n += 1) await http.mutation(send, { room, author: "b", body: String(n) });
  const shout = makeFunctionReference<"action", Args, string>("messages:shout");
  expect(await http.action(shout, { room, body: "loud" })).toMatch(/^[0-9a-z]{31,}$/);
  type Page = { page: { body: string }[]; isDone: boolean; continueCursor: string };
  const bodies: string[] = [];
  let cursor: string | null = null;
  for (;;) {
    const page: Page = await http.query(query<Page>("messages:page"), {
      room,
      paginationOpts: { numItems: 2, cursor },
    });
    bodies.push(...page.page.map(({ body }) => body));
    if (page.isDone) break;
    cursor = page.continueCursor;
  }
  expect(bodies).toEqual(["LOUD", "4", "3", "2", "1", "0"]);
  for (const from of [origin, site]) {
    const names = (await (await fetch(`${from}/rooms`)).json()) as string[];
    expect([from, names.includes("long")]).toEqual([from, true]);
  }
  expect((await fetch(`${site}/api/query`, { method: "POST" })).status).toBe(404);
});
