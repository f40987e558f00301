import type { Id, TableNames } from "../../convex/_generated/dataModel";

/** An id as the server would answer it, where a test makes up the answer. */
export const idOf = <Table extends TableNames>(text: string): Id<Table> => text as Id<Table>;
