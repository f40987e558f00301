/** For the rest of a test, a connection computes one query in a turn, as when each takes long. */
import { onTestFinished, vi } from "vitest";
import { QueryHub } from "../../../embedded/sync/hub";

export function oneInATurn(): void {
  const spy = vi.spyOn(QueryHub.prototype, "hasTime", "get").mockReturnValue(false);
  onTestFinished(() => spy.mockRestore());
}
