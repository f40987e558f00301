/** One result on many screens: a query runs once for all who show it. */
import { expect, test, vi } from "vitest";
import { startTestServer } from "../server/testServer";
import { WireClient } from "./wire";

test("one person's result is shown on all their screens from one run, again after each change", async () => {
  const { origin, backend } = await startTestServer();
  const runs = vi.spyOn(backend.runtime, "executeClientQuery");
  const args = { channel: "a" };
  const add = { type: "Add", queryId: 0, udfPath: "messages:listForCaller", args: [args] };
  const modifications = [add];
  const screens = await Promise.all(Array.from({ length: 40 }, () => WireClient.connect(origin)));
  for (const screen of screens) {
    screen.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
  }
  const allShow = (bodies: string[]) =>
    Promise.all(
      screens.map((screen) =>
        screen.until(
          (frame) =>
            JSON.stringify(frame.modifications)?.includes(
              JSON.stringify({ bodies, caller: null }),
            ) === true,
        ),
      ),
    );
  await allShow([]);
  const writer = await WireClient.connect(origin);
  const bodies: string[] = [];
  for (const [requestId, body] of ["x", "y", "z"].entries()) {
    bodies.push(body);
    runs.mockClear();
    writer.mutate(requestId, "messages:send", { channel: "a", body });
    await allShow(bodies);
    expect(runs).toHaveBeenCalledTimes(1);
  }
});
