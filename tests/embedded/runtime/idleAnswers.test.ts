/** Which answers of mutations are recorded when one person asks for very many that change nothing. */
import { expect, test, vi } from "vitest";
import { IdleAnswers } from "../../../embedded/runtime/idleAnswers";
import { startTestServer } from "../server/testServer";
import { WireClient } from "../sync/wire";

/** As many as are recorded in an hour. */
const IDLE_CALLS = 1_000;

test("a mutation that only schedules a function is recorded, however many before it wrote nothing", async () => {
  const { origin } = await startTestServer();
  const wire = await WireClient.connect(origin);
  let requestId = 0;
  const answerOf = (client: WireClient) =>
    client.until((frame) => frame.type === "MutationResponse" && frame.requestId === requestId);

  wire.mutate(requestId, "calling:schedule", { delayMs: 3_600_000 });
  const { result: id } = await answerOf(wire);
  // The first cancels it; the others find it canceled.
  for (let made = 0; made <= IDLE_CALLS; made++) {
    requestId += 1;
    wire.mutate(requestId, "calling:cancel", { id });
    if (made % 100 === 0) await answerOf(wire);
  }
  requestId += 1;
  wire.mutate(requestId, "calling:schedule", { delayMs: 3_600_000 });
  const { result: scheduled } = await answerOf(wire);
  const resent = await WireClient.connect(origin, { sessionId: wire.sessionId });
  resent.mutate(requestId, "calling:schedule", { delayMs: 3_600_000 });
  expect((await answerOf(resent)).result).toBe(scheduled);
});

test("an hour later, as many are recorded again", () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  try {
    const answers = new IdleAnswers();
    const taken = () =>
      Array.from({ length: IDLE_CALLS + 1 }, () => answers.take("ada")).filter(Boolean).length;
    expect(taken()).toBe(IDLE_CALLS);
    now.mockReturnValue(3_599_999);
    expect(taken()).toBe(0);
    now.mockReturnValue(3_600_000);
    expect(taken()).toBe(IDLE_CALLS);
  } finally {
    now.mockRestore();
  }
});
