/** Attacks by bodies that are begun and never ended, which take room until they are given up. */
import net from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { DEMO, enter, openBank, type Bank, type Visitor } from "./bank";
import { as } from "./wireCalls";

const TIMEOUT_MS = 120_000;
const MEBIBYTE = 1024 * 1024;
/** As many of the largest as all the room there is can hold, and smaller ones for what is left of it. */
const BODIES_BYTES = [
  ...Array<number>(12).fill(20 * MEBIBYTE),
  ...Array<number>(20).fill(MEBIBYTE),
];

let bank: Bank;
let maya: Visitor;

beforeAll(async () => {
  bank = await openBank();
  maya = await enter(bank, DEMO.maya);
}, TIMEOUT_MS);

afterAll(() => bank.close());

/** Sends all of a body but its last byte, and stays; answers once that has left this process or is refused. */
function sendHalf(bytes: number, headers: readonly string[]): Promise<void> {
  const { host, port } = new URL(bank.origin);
  const socket = net.connect(Number(port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const start = ["POST /api/deposit-images?side=front HTTP/1.1", `Host: ${host}`, ...headers];
  const head = [...start, `Content-Length: ${bytes}`, "", ""].join("\r\n");
  socket.write(head);
  return new Promise((resolve) => {
    socket.on("error", () => resolve());
    // Refused: the rest is not read.
    socket.on("data", () => resolve());
    socket.write(Buffer.alloc(bytes - 1), () => resolve());
  });
}

test.each([
  ["strangers", () => []],
  [
    "another member",
    async () => [`Authorization: ${as(await enter(bank, DEMO.omar)).authorization}`],
  ],
])("TH37 half-sent bodies of %s leave members room for their pictures", async (_who, headers) => {
  const given = await headers();
  for (const bytes of BODIES_BYTES) await sendHalf(bytes, given);
  const answer = await fetch(`${bank.origin}/api/deposit-images?side=front`, {
    method: "POST",
    headers: as(maya),
    body: new Uint8Array(MEBIBYTE),
  });
  // Read to its end, and found to be no picture.
  expect(answer.status).toBe(415);
});
