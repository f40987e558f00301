/** An orderly end: what is running is answered before the connections close. */
import { expect, test, vi } from "vitest";
import { WireClient } from "../sync/wire";
import { startTestServer } from "./testServer";

const GOING_AWAY = 1001;

test.each([
  ["startClientMutation", "Mutation", "messages:send", { channel: "a", body: "x" }],
  ["executeClientAction", "Action", "messages:orchestrate", { name: "x" }],
] as const)(
  "the answer of a running call leaves before the server (%s)",
  async (door, type, udfPath, args) => {
    const server = await startTestServer();
    const client = await WireClient.connect(server.origin);
    const { runtime } = server.backend;
    const begun = new Promise<void>((resolve) => {
      const original = runtime[door].bind(runtime) as (call: never) => never;
      const announced = (call: never): never => {
        resolve();
        return original(call);
      };
      vi.spyOn(runtime, door).mockImplementation(announced as never);
    });
    client.send({ type, requestId: 0, udfPath, args: [args] });
    await begun;
    const closed = server.close();
    expect(await client.untilClosed()).toBe(GOING_AWAY);
    expect(client.frames.map((frame) => frame.type)).toContain(`${type}Response`);
    await closed;
  },
);
