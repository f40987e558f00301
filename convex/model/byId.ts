/** Documents by unchecked ids: any text may arrive where an id should be. */
import type { Doc, TableNames } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";

/** The document a text names; null when it is not an id of the table, or nothing is there. */
export async function findById<Table extends TableNames>(
  ctx: Pick<QueryCtx, "db">,
  table: Table,
  idText: string,
): Promise<Doc<Table> | null> {
  const id = ctx.db.normalizeId(table, idText);
  return id === null ? null : await ctx.db.get(table, id);
}
