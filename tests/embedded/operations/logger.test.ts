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

function logged(format: "json" | "text" = "json") {
  const lines: string[] = [];
  const logger = newLogger(format, (line) => void lines.push(line));
  const call = (record: Partial<CallRecord>) => logger.call({ ...FAILED, ...record });
  const line = (text: string, requestId?: string) => logger.line(text, requestId);
  return { lines, call, line };
}

const SLOW = {
  outcome: "refused",
  failure: "Uncaught ConvexError: no",
  durationMs: 1_000.4,
} as const;

test("collectors get calls that failed or were slow, with the request id, and lines without blank ones", () => {
  const { lines, call, line } = logged();
  call({ failure: 'Uncaught Error: no\nObject: {"pin":1}' });
  call({ ...SLOW, durationMs: 999 });
  call(SLOW);
  line("\nof a function\n", "r");
  const of = { requestId: "r", kind: "query", function: "a:b" };
  const time = expect.any(String) as string;
  expect(lines.map((text) => JSON.parse(text) as unknown)).toEqual([
    {
      ...{ time, level: "error", message: "call failed", ...of },
      ...{ outcome: "error", durationMs: 1, failure: FAILED.failure },
    },
    { time, level: "warning", message: "slow call", ...of, outcome: "refused", durationMs: 1000 },
    { time, level: "info", message: "of a function", requestId: "r" },
  ]);
});

test("people get the same in words, and a failure's further lines as parts of the first", () => {
  const { lines, call, line } = logged("text");
  call({ failure: "Uncaught Error: no\n    at a.js:1\nValue: 1" });
  call(SLOW);
  line("\nServing\n");
  expect(lines).toEqual([
    "[Request ID: r] query a:b (1 ms) failed: Uncaught Error: no\n    |     at a.js:1",
    "[Request ID: r] query a:b (1000 ms) was slow",
    "\nServing\n",
  ]);
});

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
  const message = "[WARN] 151 more lines about calls were not logged";
  expect(JSON.parse(lines[102]!)).toMatchObject({ level: "warning", message });
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
  for (const what of ["Connection failed", "Request failed", "Stopping failed", "Unhandled"]) {
    line(`${what}: Error: [LOG]`);
    expect([what, level()]).toEqual([what, "error"]);
  }
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
