/** Attacks by request bodies, which occupy memory until they are read or time out. */
import type { IncomingMessage } from "node:http";
import net from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { IMAGE_BYTES_MAX } from "../../convex/shared/imageFiles";
import { BodyRoom } from "../../embedded/server/bodyRoom";
import { usedHeapBytes } from "../support/heap";
import { passwordToken } from "../support/wireClient";
import { DEMO, enter, openBank, type Bank, type Visitor } from "./bank";
import { as } from "./wireCalls";

const TIMEOUT_MS = 120_000;
const MIB = 1024 * 1024;
/** As many of the largest bodies as the whole budget can hold, and smaller ones for the rest of it. */
const BODIES_BYTES = [...Array<number>(12).fill(20 * MIB), ...Array<number>(20).fill(MIB)];

let bank: Bank;
let maya: Visitor;

beforeAll(async () => {
  bank = await openBank();
  maya = await enter(bank, DEMO.maya);
}, TIMEOUT_MS);

afterAll(() => bank.close());

/** Sends all but the last byte of a body and keeps the connection; resolves once it is sent or refused. */
function sendHalf(bytes: number, headers: readonly string[]): Promise<void> {
  const { host, port } = new URL(bank.origin);
  const socket = net.connect(Number(port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const start = ["POST /api/deposit-images?side=front HTTP/1.1", `Host: ${host}`, ...headers];
  const head = [...start, `Content-Length: ${bytes}`, "", ""].join("\r\n");
  socket.write(head);
  return new Promise((resolve) => {
    socket.on("error", () => resolve());
    // The body was refused; the rest is not read.
    socket.on("data", () => resolve());
    socket.write(Buffer.alloc(bytes - 1), () => resolve());
  });
}

const authorization = (token: string): readonly string[] => [`Authorization: Bearer ${token}`];

test.each([
  ["strangers", () => [[]]],
  ["another member", async () => [authorization((await enter(bank, DEMO.omar)).token)]],
  // A token is valid for ten minutes, whatever became of its session.
  [
    "an applicant who signs in again and again",
    async () => {
      const signIns = Array.from({ length: 13 }, () => passwordToken(bank.origin, DEMO.lena));
      return (await Promise.all(signIns)).map(authorization);
    },
  ],
])(
  "TH37 half-sent bodies of %s do not stop members from uploading pictures",
  async (_who, headers) => {
    const given = await headers();
    for (const [at, bytes] of BODIES_BYTES.entries()) {
      await sendHalf(bytes, given[at % given.length] ?? []);
    }
    const answer = await fetch(`${bank.origin}/api/deposit-images?side=front`, {
      method: "POST",
      headers: as(maya),
      body: new Uint8Array(MIB),
    });
    // The body was read completely and is no picture.
    expect(answer.status).toBe(415);
  },
);

test(
  "TH37 half-sent bodies of many people, which fill all the room, do not stop others from uploading pictures",
  async () => {
    const { admin, omar, lena, rui, nora, vip, lock } = DEMO;
    const people = [admin, omar, lena, rui, nora, vip, lock];
    const tokens = await Promise.all(people.map((email) => passwordToken(bank.origin, email)));
    for (const headers of [[], ...tokens.map(authorization)]) {
      await sendHalf(20 * MIB, headers);
      await sendHalf(12 * MIB, headers);
    }
    const answer = await fetch(`${bank.origin}/api/deposit-images?side=front`, {
      method: "POST",
      headers: as(maya),
      body: new Uint8Array(IMAGE_BYTES_MAX),
    });
    expect(answer.status).toBe(415);
  },
  TIMEOUT_MS,
);

test("TH37 a body in chunks of a single byte takes no more memory than another one", async () => {
  const count = 200_000;
  const before = usedHeapBytes();
  let held = 0;
  // The last chunk is asked for when all others have been read.
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let sent = 1; sent < count; sent++) yield Buffer.from("x");
    await new Promise((resolve) => setImmediate(resolve));
    held = usedHeapBytes() - before;
    yield Buffer.from("x");
  }
  const request = Object.assign(Readable.from(chunks()), { headers: {} });
  const room = new BodyRoom(count, count);
  const { body } = await room.read(request as unknown as IncomingMessage, count, null);
  expect(body.toString()).toBe("x".repeat(count));
  expect(held).toBeLessThan(10 * count);
});
