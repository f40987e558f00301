/** Requests that end before they were sent in full. */
import { ServerResponse } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import type { RunningServer } from "../../../embedded/main";
import { PATIENCE } from "../../support/patience";
import { startTestServer } from "./testServer";

const head = (port: number, target: string) =>
  `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`;

test.each([
  ["a call", () => "/api/query"],
  ["a file", ({ backend }: RunningServer) => backend.runtime.deployment.files.uploadUrl()],
])(
  "who hangs up in the middle of %s has left nothing, also not in the log",
  async (_what, addressOf) => {
    const server = await startTestServer();
    const { pathname, search } = new URL(addressOf(server), server.origin);
    const emit = vi.spyOn(ServerResponse.prototype, "emit");
    onTestFinished(() => emit.mockRestore());
    const socket = connect({ port: server.port, host: "127.0.0.1" });
    socket.end(`${head(server.port, pathname + search)}half`, () => socket.destroy());
    await vi.waitFor(() => expect(emit).toHaveBeenCalledWith("close"), PATIENCE);
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.logLines).toEqual([]);
    expect(await server.backend.runtime.deployment.files.blobs.list()).toEqual([]);
  },
);
