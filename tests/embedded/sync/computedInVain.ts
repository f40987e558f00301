/** For a spy on `QueryHub.prototype.fetch`, once: computes the results and says that they must be computed again. */
import { RUN_AGAIN, type QueryHub } from "../../../embedded/sync/hub";

export async function computedInVain(
  this: QueryHub,
  ...args: Parameters<QueryHub["fetch"]>
): Promise<typeof RUN_AGAIN> {
  await this.fetch(...args);
  return RUN_AGAIN;
}
