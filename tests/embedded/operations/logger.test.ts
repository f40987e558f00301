/** Which calls are logged by a server, and how much of them. */
import { expect, test, vi, onTestFinished } from "vitest";
import { newLogger } from "../../../embedded/operations/logger";
import type { CallRecord } from "../../../embedded/runtime/deployment";
import type { ServeOptions } from "../../../embedded/serveOptions";
import { endForRestart, endOnUnknownOutcome } from "../../../embedded/superviseProcess";

const FAILED: CallRecord = {
  kind: "query",
  path: "a:b",
  requestId: "r",
  durationMs: 1,
  outcome: "error",
  failure: "Uncaught Error: no",
  isMissing: false,
};

function logged() {
  const lines: string[] = [];
  const logger = newLogger("json", (line) => void lines.push(line));
  const call = (record: Partial<CallRecord>) => logger.call({ ...FAILED, ...record });
  const line = (text: string, requestId?: string) => logger.line(text, requestId);
  return { lines, call, line };
}

test("functions that are not there are not logged, long names and failures are cut", () => {
  const { lines, call } = logged();
  call({ isMissing: true });
  expect(lines).toEqual([]);
  call({ path: "x".repeat(1e6), failure: "y".repeat(1e6) });
  expect(lines).toHaveLength(1);
  expect(lines[0]!.length).toBeLessThan(3_000);
});

test("a second has a hundred lines at most; how many more there were is said in the next one", () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
  onTestFinished(() => now.mockRestore());
  const { lines, call, line } = logged();
  for (let count = 0; count < 250; count++) call({});
  line("of a function", "r");
  expect(lines).toHaveLength(100);
  line("[M(a:b)] [ERROR] 'of a function'", "r");
  line("of the server");
  expect(lines).toHaveLength(102);
  now.mockReturnValue(2_000);
  call({});
  expect(lines).toHaveLength(104);
  expect(lines[102]).toContain("151 more lines about calls were not logged");
});

test("what a function logs of what a client sent is no failure, and no more than a hundred lines", () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
  onTestFinished(() => now.mockRestore());
  const { lines, line } = logged();
  const level = () => (JSON.parse(lines.at(-1)!) as { level: string }).level;
  for (let count = 0; count < 150; count++) line("a:b [LOG] 'failed: [ERROR] [WARN]'", "r");
  expect(lines).toHaveLength(100);
  expect(level()).toBe("info");
  line("a:b [WARN] '[ERROR]'", "r");
  expect(level()).toBe("warning");
  line("cron [a] [ERROR] [WARN]");
  expect(level()).toBe("error");
  line("Connection failed: Error: [LOG]");
  expect(level()).toBe("error");
});

test.each([endForRestart, endOnUnknownOutcome])(
  "why a process ends itself is an error: %o",
  (end) => {
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    onTestFinished(() => kill.mockRestore());
    const { lines, line } = logged();
    end({ watchdogMs: 1, onLogLine: line } as unknown as ServeOptions, new Error("EIO"));
    expect(kill).toHaveBeenCalledOnce();
    const message = expect.stringContaining("(EIO)") as string;
    expect(JSON.parse(lines.join())).toMatchObject({ level: "error", message });
  },
);

test("what a client sends moves no cursor, begins no line and turns no text, and is still there", () => {
  const { lines, call } = logged();
  const failure = "\u001b[2J \u009b2J \u0085 \u2028 \u202e \u2066";
  call({ failure });
  expect(lines[0]).toMatch(/^[ -~]+$/);
  expect(JSON.parse(lines[0]!)).toMatchObject({ failure });
});
