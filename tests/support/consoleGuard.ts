/** A console error or warning fails the test that caused it. */
import { afterEach, beforeEach, expect, vi } from "vitest";
import { format } from "node:util";

/** Installs the guard for every test of the file's project. */
export function guardConsole(): void {
  let printed: string[] = [];
  beforeEach(() => {
    printed = [];
    for (const method of ["error", "warn"] as const) {
      vi.spyOn(console, method).mockImplementation((...args: unknown[]) => {
        printed.push(`console.${method}: ${format(...args)}`);
      });
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
    expect(printed).toEqual([]);
  });
}
