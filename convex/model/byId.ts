/** Documents by ids as they came in: any text may stand where an id should. */
import type { Doc, TableNames } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";

/** The document a text names; null when it is no id of the table, or nothing is there. */
export async function findById<Table extends TableNames>(
  ctx: Pick<QueryCtx, "db">,
  table: Table,
  idText: string,
): Promise<Doc<Table> | null> {
  const id = ctx.db.normalizeId(table, idText);
  return id === null ? null : await ctx.db.get(table, id);
}
