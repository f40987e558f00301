/** What is left of a transfer that was refused: a line in the function log. */
import { expect, onTestFinished, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import { external, internal, submit } from "./moneySupport";
import { newBackend, person, refusalOf } from "./support";

test("a refusal leaves a line in the function log: whose it was and why, and nothing that was typed", async () => {
  const t = newBackend();
  const ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
  const logged = vi.spyOn(console, "info").mockImplementation(() => undefined);
  onTestFinished(() => logged.mockRestore());
  const calls = [
    () => submit(ada, internal({ amountCents: 10_001n })),
    () => ada.as.mutation(api.transfers.startExternal, external({ amountCents: 0n })),
    () => ada.as.mutation(api.transfers.confirmExternal, { pendingId: "x", code: "000000" }),
  ];
  const codes: string[] = [];
  for (const call of calls) codes.push(await refusalOf(call()));
  await submit(ada, internal());
  expect(codes.slice(0, 2)).toEqual(["INSUFFICIENT_FUNDS", "INVALID_AMOUNT"]);
  const lines = codes.map((code) => `A transfer of ${ada.userId} was refused: ${code}`);
  expect(logged.mock.calls).toEqual(lines.map((line) => [line]));
});
