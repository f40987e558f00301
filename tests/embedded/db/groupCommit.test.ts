/** What becomes of commits when the log fails, and when what comes after it does. */
import { expect, onTestFinished, test, vi } from "vitest";
import { UnknownOutcomeError } from "../../../embedded/db/errors";
import { GroupCommit, type PendingCommit } from "../../../embedded/db/groupCommit";
import { NoLog } from "../../../embedded/storage/commitLog";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test.each([
  ["all of them failed", false, Error],
  ["of none of them the outcome is known", true, UnknownOutcomeError],
])(
  "those that wait behind a group whose sync fails end with it: %s",
  async (_what, isUncertain, kind) => {
    let fail: (error: Error) => void = () => undefined;
    const log = Object.assign(new NoLog(), {
      isInstant: false,
      isUncertain,
      sync: () => new Promise<void>((_resolve, reject) => (fail = reject)),
    });
    const told: string[] = [];
    const commits = new GroupCommit(log, {
      groupCut: () => undefined,
      groupDurable: () => told.push("durable"),
      logFailed: () => told.push("log failed"),
    });
    const errors: Error[] = [];
    const add = (seq: number) =>
      commits.add({
        seq,
        record: Buffer.from("x"),
        resolve: () => told.push(`${seq} is durable`),
        reject: (error) => {
          told.push(`${seq} failed`);
          errors.push(error);
        },
      } as Partial<PendingCommit> as PendingCommit);
    for (const seq of [1, 2]) add(seq);
    await nextTurn();
    add(3);
    fail(new Error("the disk is gone"));
    await commits.idle();
    // None of them is left, for which the end of the server would wait.
    await commits.idle();
    expect(told).toEqual(["log failed", "1 failed", "2 failed", "3 failed"]);
    for (const error of errors) {
      expect(error).toBeInstanceOf(kind);
      expect(error.message).toContain("the disk is gone");
    }
  },
);

test("commits that are in the log never fail, whatever their readers throw", async () => {
  const told: string[] = [];
  const commits = new GroupCommit(new NoLog(), {
    groupCut: () => undefined,
    groupDurable: () => {
      throw new Error("a reader's own");
    },
    logFailed: () => told.push("log failed"),
  });
  const later: (() => void)[] = [];
  const spy = vi.spyOn(globalThis, "setImmediate");
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation((callback) => later.push(callback) as never);
  commits.add({
    seq: 1,
    record: Buffer.from("x"),
    reject: () => told.push("1 failed"),
  } as Partial<PendingCommit> as PendingCommit);
  expect(later).toHaveLength(1);
  expect(later[0]).toThrow("a reader's own");
  expect(told).toEqual([]);
});
