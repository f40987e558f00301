/** The room for bodies that are in memory at the same time. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { BodyRoom } from "../../../embedded/server/bodyRoom";

/** As much of a request as a room reads. */
const requestOf = (stream: Readable) =>
  Object.assign(stream, { headers: {} }) as unknown as IncomingMessage;

const body = (...texts: string[]) =>
  requestOf(Readable.from(texts.map((text) => Buffer.from(text))));

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
    const unfinished = (text: string) => {
      const stream = new Readable({ read: () => undefined });
      stream.push(text);
      return { stream, read: (sender: string) => room.read(requestOf(stream), 100, sender) };
    };
    const most = unfinished("123456");
    const cut = expect(most.read("a")).rejects.toThrow("Premature close");
    const less = unfinished("1");
    const spared = less.read("b");
    await new Promise((resolve) => setImmediate(resolve));
    const { release } = await room.read(body("12345"), 100, "c");
    await cut;
    less.stream.push("2345");
    less.stream.push(null);
    expect((await spared).body.toString()).toBe("12345");
    // Only what is complete takes room now, and that is not cut.
    await expect(room.read(body("1"), 100, "d")).rejects.toMatchObject({ status: 503 });
    release();
  });

  test("has all its room again after a body that was refused in its middle", async () => {
    const room = new BodyRoom(10, 10);
    const refused = room.read(body("12345", "6789"), 8, "a");
    await expect(refused).rejects.toMatchObject({ status: 413 });
    expect((await room.read(body("1234567890"), 100, "a")).body.toString()).toBe("1234567890");
  });
});
