/** Whose mutation is next. */
import { expect, test } from "vitest";
import { clientRequest, newRequestId } from "../../../embedded/runtime/execution";
import { NO_IDENTITY, type Identity } from "../../../embedded/runtime/identity";
import { MutationLane } from "../../../embedded/runtime/mutations";
import { senderOf } from "../../../embedded/runtime/sender";
import { personIdentity } from "../../support/personIdentity";
import { startTestServer } from "../server/testServer";

test("senders take turns, and what each of them sends stays in order", async () => {
  const lane = new MutationLane();
  const started: string[] = [];
  const run = (name: string, sender: string) =>
    lane.run(sender, () => Promise.resolve(void started.push(name)));
  const runs = ["a1", "a2", "a3", "b1", "b2"].map((name) => run(name, name.charAt(0)));
  // Those of nobody in particular.
  runs.push(run("x", ""), run("y", ""));
  // The first one runs already.
  expect(lane.queueLength).toBe(6);
  await Promise.all(runs);
  expect(started).toEqual(["a1", "a2", "b1", "x", "y", "a3", "b2"]);
  expect(lane.queueLength).toBe(0);
});

test("who has many mutations waiting, as a person or a stranger of one site, keeps nobody else waiting", async () => {
  const { backend } = await startTestServer();
  const ended: string[] = [];
  const send = (name: string, ip: string, identity: Identity) => {
    const request = clientRequest(newRequestId(), { ip, userAgent: null }, identity);
    const call = { path: "messages:increment", args: { name }, identity, request };
    const { committed } = backend.runtime.startClientMutation({ ...call, mayCallInternal: false });
    return committed.then(() => void ended.push(name));
  };
  const ada = personIdentity("ada");
  const all = Array.from({ length: 50 }, (_, each) => [
    send("ada's", `192.0.2.${each}`, ada),
    send("a stranger's", `2001:db8:0:${each}::1`, NO_IDENTITY),
  ]);
  await Promise.all([...all.flat(), send("another's", "2001:db8:1::1", NO_IDENTITY)]);
  expect(ended).toHaveLength(101);
  expect(ended.indexOf("another's")).toBeLessThan(5);
});

test("strangers take turns among themselves, and have one for each of a person's", async () => {
  const lane = new MutationLane();
  const started: string[] = [];
  const run = (name: string, sender: string) =>
    lane.run(sender, () => Promise.resolve(void started.push(name)));
  const stranger = (number: number) => senderOf(NO_IDENTITY, `203.0.113.${number}`);
  const runs = [1, 2, 3, 4, 1].map((number, at) => run(`stranger ${at}`, stranger(number)));
  runs.push(run("ada 1", "ada"), run("bea", "bea"), run("ada 2", "ada"));
  await Promise.all(runs);
  const wanted = ["stranger 0", "stranger 1", "ada 1", "bea", "stranger 2", "ada 2"];
  expect(started).toEqual([...wanted, "stranger 3", "stranger 4"]);
  expect(lane.queueLength).toBe(0);
});

test("whoever comes from this machine may be anybody", () => {
  const senders = ["127.0.0.1", "::1", null].map((ip) => senderOf(NO_IDENTITY, ip));
  expect(senders).toEqual(["", "", ""]);
});

test("strangers of one site, whose lines have networks of their own, are one sender", () => {
  const senderAt = (ip: string) => senderOf(NO_IDENTITY, ip);
  const lines = ["2001:db8:1::1", "2001:db8:1:2::1", "2001:db8:1:ffff:a:b:c:d"];
  expect(new Set(lines.map(senderAt)).size).toBe(1);
  const others = ["2001:db8:2::1", "2001:db8::1", "203.0.113.1", "203.0.113.2"];
  expect(new Set([...lines, ...others].map(senderAt)).size).toBe(1 + others.length);
});
