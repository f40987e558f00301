/** E-mails that failed for good: seen by administrators, and sent again. Delivery itself: profile.test.ts. */
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import type { Doc } from "../../convex/_generated/dataModel";
import { OUTBOX_ATTEMPTS_MAX, OUTBOX_RETRY_MAX_MS } from "../../convex/shared/limits";
import {
  admin,
  newBackend,
  person,
  refusalOf,
  snapshot,
  type Backend,
  type Person,
} from "./support";

let t: Backend;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
});

const write = (subject: string, changes: Partial<Doc<"outbox">> = {}) =>
  t.run((ctx) =>
    ctx.db.insert("outbox", {
      to: "ada@bank.example",
      subject,
      body: "Text",
      status: "failed",
      attempts: OUTBOX_ATTEMPTS_MAX,
      lastError: "The provider answered 503",
      createdAt: 1,
      nextAttemptAt: 1,
      ...changes,
    }),
  );
const listed = async (status?: "failed") => {
  const filter = status === undefined ? {} : { status };
  const paginationOpts = { numItems: 10, cursor: null };
  return (await root.as.query(api.admin.outbox.page, { ...filter, paginationOpts })).page;
};
const failedQueue = async () => {
  const { queues } = await root.as.query(api.admin.health.get, {});
  return queues.find(({ name }) => name === "Emails that failed");
};

test("what failed is counted, and found among the rest", async () => {
  expect(await failedQueue()).toMatchObject({ waiting: 0 });
  await write("Early", { nextAttemptAt: 1 });
  await write("Sent", { status: "sent", sentAt: 2 });
  await write("Late", { nextAttemptAt: 2, createdAt: 2 });
  await write("Queued", { status: "queued" });
  expect(await failedQueue()).toMatchObject({ waiting: 2, oldestAt: 1 });
  expect((await listed("failed")).map(({ subject }) => subject)).toEqual(["Late", "Early"]);
  expect(await listed()).toHaveLength(4);
});

test("one that failed is sent again, from the first attempt, however often that is pressed", async () => {
  vi.stubEnv("MAIL_API_URL", "https://mail.example/send");
  vi.stubEnv("MAIL_API_KEY", "key");
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => new Response(null));
  vi.stubGlobal("fetch", fetched);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.stubEnv("MAIL_API_URL", "");
  });
  // Put off, as each attempt does, and not waited for.
  const mailId = await write("Hello", { nextAttemptAt: Date.now() + OUTBOX_RETRY_MAX_MS });
  await root.as.mutation(api.admin.outbox.sendAgain, { mailId });
  const queued = await t.run((ctx) => ctx.db.get("outbox", mailId));
  expect(queued).toMatchObject({ status: "queued", attempts: 0 });
  expect(queued).not.toHaveProperty("lastError");
  const before = await snapshot(t);
  await root.as.mutation(api.admin.outbox.sendAgain, { mailId });
  expect(await snapshot(t)).toBe(before);
  await t.action(internal.outboxJob.deliver, {});
  await root.as.mutation(api.admin.outbox.sendAgain, { mailId });
  await t.action(internal.outboxJob.deliver, {});
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(fetched.mock.calls[0]?.[1].body).toContain('"to":["ada@bank.example"]');
  expect(await failedQueue()).toMatchObject({ waiting: 0 });
  const args = { action: "outbox.sendAgain", paginationOpts: { numItems: 10, cursor: null } };
  expect((await root.as.query(api.admin.audit.page, args)).page).toHaveLength(1);
});

test("a failed one to an address that the person no longer has is marked", async () => {
  const ada = await person(t, "ada@bank.example");
  const { userId } = ada;
  await write("To her", { userId });
  await write("To nobody", {});
  await write("Sent long ago", { userId, status: "sent", sentAt: 2 });
  const marked = async () =>
    (await listed()).filter(({ isToFormerAddress }) => isToFormerAddress).map((one) => one.subject);
  expect(await marked()).toEqual([]);
  await root.as.mutation(api.admin.identity.set, {
    ...{ userId, name: "Ada Abel", email: "ada@mail.example", reason: "Married" },
    expected: { name: "ada", email: ada.email },
  });
  expect(await marked()).toEqual(["To her"]);
});

test("an e-mail that does not exist cannot be sent", async () => {
  const mailId = await write("Hello");
  await t.run((ctx) => ctx.db.delete("outbox", mailId));
  expect(await refusalOf(root.as.mutation(api.admin.outbox.sendAgain, { mailId }))).toBe(
    "NOT_FOUND",
  );
});
