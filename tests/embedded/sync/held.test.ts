/** What a client holds already is not sent again when it authenticates again; anything else is. */
import { expect, onTestFinished, test, vi } from "vitest";
import { QueryHub } from "../../../embedded/sync/hub";
import { startTestServer } from "../server/testServer";
import { computedInVain } from "./computedInVain";
import { WireClient, type Frame } from "./wire";

type Modification = { readonly queryId: number; readonly value: unknown };

async function open(udfPath: string, channels: readonly string[]): Promise<WireClient> {
  const { origin } = await startTestServer();
  const page = await WireClient.connect(origin);
  const modifications = channels.map((channel, queryId) => ({
    type: "Add",
    queryId,
    udfPath,
    args: [channel === "" ? {} : { channel }],
  }));
  page.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
  return page;
}

test("a result that has become too old is computed anew", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const page = await open("messages:time", [""]);
  const timeIn = ({ modifications }: Frame) => Number((modifications as Modification[])[0]?.value);
  const before = timeIn(await page.untilType("Transition"));
  vi.setSystemTime(Date.now() + 10_000);
  page.send({ type: "Authenticate", baseVersion: 0, tokenType: "None" });
  const after = await page.until(({ endVersion }) => {
    const { identity } = (endVersion ?? {}) as { identity?: number };
    return identity === 1;
  });
  expect(timeIn(after)).toBe(before + 10_000);
});

test("a personal result that was computed but not sent is computed again", async () => {
  const fetched = vi.spyOn(QueryHub.prototype, "fetch");
  onTestFinished(() => fetched.mockRestore());
  fetched.mockImplementationOnce(computedInVain);
  const page = await open("messages:listForCaller", ["a", "b"]);
  const { modifications } = await page.untilType("Transition");
  const nothing = { bodies: [], caller: null };
  expect(modifications).toMatchObject([0, 1].map((queryId) => ({ queryId, value: nothing })));
});
