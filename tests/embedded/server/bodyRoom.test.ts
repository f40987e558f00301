/** The room for bodies that are in memory at the same time. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { NO_IDENTITY } from "../../../embedded/runtime/identity";
import { senderOf } from "../../../embedded/runtime/sender";
import { jsonBody, newCallLimits, type ApiContext } from "../../../embedded/server/api";
import { BodyRoom } from "../../../embedded/server/bodyRoom";
import { newBodyRoom } from "../../../embedded/server/userRoutes";
import { personIdentity } from "../../support/personIdentity";

/** As much of a request as a room reads. */
const requestOf = (stream: Readable, headers = {}) =>
  Object.assign(stream, { headers }) as unknown as IncomingMessage;

const body = (...texts: string[]) =>
  requestOf(Readable.from(texts.map((text) => Buffer.from(text))));

/** A body whose sender has not ended it yet. */
function unfinished(room: BodyRoom, sender: string | null, text: string) {
  const stream = new Readable({ read: () => undefined });
  stream.push(text);
  const end = (rest = "") => {
    stream.push(rest);
    stream.push(null);
  };
  return { read: room.read(requestOf(stream), 100, sender), end };
}

const untilRead = () => new Promise((resolve) => setImmediate(resolve));

describe("a body", () => {
  test("leaves room for others, however much one sender holds", async () => {
    const room = new BodyRoom(10, 6);
    const first = await room.read(body("12345"), 100, "a");
    await expect(room.read(body("12"), 100, "a")).rejects.toMatchObject({ status: 503 });
    await room.read(body("12345"), 100, "b");
    first.release();
    await room.read(body("12345"), 100, "a");
  });

  test("waits for room when many bodies are held at once", async () => {
    const room = new BodyRoom(10, 10);
    const first = await room.read(body("12345678"), 100, "a");
    await expect(room.read(body("123"), 100, "b")).rejects.toMatchObject({ status: 503 });
    first.release();
    expect((await room.read(body("1234567890"), 100, "b")).body.toString()).toBe("1234567890");
  });

  test("is cut where others need its room and its sender has taken most of it for longest", async () => {
    const room = new BodyRoom(10, 6);
    const cut = expect(unfinished(room, "a", "123456").read).rejects.toThrow("Premature close");
    const less = unfinished(room, "b", "1");
    await untilRead();
    const { release } = await room.read(body("12345"), 100, "c");
    await cut;
    less.end("2345");
    expect((await less.read).body.toString()).toBe("12345");
    // Only what is complete takes room now, and that is not cut.
    await expect(room.read(body("1"), 100, "d")).rejects.toMatchObject({ status: 503 });
    release();
  });

  test("is neither cut for being the oldest, nor for being the largest", async () => {
    const now = vi.spyOn(performance, "now");
    onTestFinished(() => now.mockRestore());
    const at = (ms: number, sender: string, text: string) => {
      now.mockReturnValue(ms);
      return unfinished(room, sender, text);
    };
    const room = new BodyRoom(10, 10);
    const oldest = at(0, "a", "1");
    const cut = expect(at(50, "b", "1234").read).rejects.toThrow("Premature close");
    const largest = at(90, "c", "12345");
    await untilRead();
    now.mockReturnValue(100);
    await room.read(body("1234"), 100, "d");
    await cut;
    for (const spared of [oldest, largest]) spared.end();
    await Promise.all([oldest.read, largest.read]);
  });

  test("is not cut for another one of its sender; of unknown senders, each is on its own", async () => {
    const room = new BodyRoom(10, 6);
    const complete = await room.read(body("12345"), 100, "b");
    const first = unfinished(room, "a", "1234");
    await untilRead();
    await expect(room.read(body("12"), 100, "a")).rejects.toMatchObject({ status: 503 });
    first.end();
    for (const { release } of [complete, await first.read]) release();
    const cut = expect(unfinished(room, null, "123456").read).rejects.toThrow("Premature close");
    await untilRead();
    await room.read(body("12345"), 100, null);
    await cut;
  });

  test("may be as large as its limit; one that says it is larger is refused before its first byte", async () => {
    const room = new BodyRoom(10, 10);
    expect((await room.read(body("12345", "678"), 8, "a")).body.toString()).toBe("12345678");
    const whole = requestOf(Readable.from([Buffer.from("12345678")]), { "content-length": "8" });
    expect((await new BodyRoom(10, 10).read(whole, 8, "a")).body.toString()).toBe("12345678");
    const read = vi.fn(function (this: Readable) {
      this.push(null);
    });
    const large = requestOf(new Readable({ read }), { "content-length": "9" });
    await expect(room.read(large, 8, "b")).rejects.toMatchObject({ status: 413 });
    expect(read).not.toHaveBeenCalled();
  });

  test("has all its room again after a body that was refused in its middle", async () => {
    const room = new BodyRoom(10, 10);
    const refused = room.read(body("12345", "6789"), 8, "a");
    await expect(refused).rejects.toMatchObject({ status: 413 });
    expect((await room.read(body("1234567890"), 100, "a")).body.toString()).toBe("1234567890");
  });
});

test("a call's body gives its room back as soon as it is parsed, or is none", async () => {
  const hub = { mayReadNow: () => true };
  const context = { bodies: new BodyRoom(10, 10), bodyMaxBytes: 10, hub } as unknown as ApiContext;
  const read = (text: string) => {
    const stream = Readable.from([Buffer.from(text)]);
    const caller = { identity: NO_IDENTITY, ip: "" };
    return jsonBody(context, requestOf(stream, { "content-type": "application/json" }), caller);
  };
  for (let count = 0; count < 2; count++) {
    expect(await read('{"a":123}')).toEqual({ a: 123 });
    await expect(read("no object")).rejects.toMatchObject({ status: 400 });
  }
});

test("a body that has to wait is read in its sender's turn: a member's is not a stranger's", async () => {
  const senders: string[] = [];
  const hub = {
    mayReadNow: () => false,
    inTurn: (sender: string, part: () => unknown) => {
      senders.push(sender);
      return Promise.resolve(part());
    },
  };
  const context = { bodies: new BodyRoom(10, 10), bodyMaxBytes: 10, hub } as unknown as ApiContext;
  for (const identity of [personIdentity("ada"), NO_IDENTITY]) {
    const request = requestOf(Readable.from([Buffer.from("{}")]), {
      "content-type": "application/json",
    });
    await jsonBody(context, request, { identity, ip: "203.0.113.1" });
  }
  expect(senders).toEqual(["ada", senderOf(NO_IDENTITY, "203.0.113.1")]);
});

const LARGE_BYTES = 16 * 1024 * 1024;

/** A large body whose bytes are only counted: nobody writes them, so they take no memory. */
const largeBody = () =>
  requestOf(Readable.from([{ length: LARGE_BYTES, copy: () => LARGE_BYTES }]));

test.each([
  ["calls", () => newCallLimits().bodies, 64],
  ["HTTP actions", newBodyRoom, 32],
])(
  "bodies of %s take 256 MiB in all, and those of one sender a part of it",
  async (_, newRoom, senders) => {
    const room = newRoom();
    let count = 0;
    const fill = async (senderOf: () => string) => {
      try {
        for (; count < 99; count++) await room.read(largeBody(), LARGE_BYTES, senderOf());
      } catch (error) {
        expect(error).toMatchObject({ status: 503 });
      }
      return (count * LARGE_BYTES) / 1024 / 1024;
    };
    expect(await fill(() => "one")).toBe(senders);
    expect(await fill(() => `another ${count}`)).toBe(256);
  },
);
