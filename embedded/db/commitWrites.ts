/** What one commit wrote, as keys of indexes: made when somebody asks, which is seldom. */
import type { TableInfo } from "./catalog";
import { changedKeys, type Doc } from "./document";
import type { DurableCommit, IndexKey, Ts } from "./types";

/** Of a changed document, beside its values. */
const OVERHEAD_BYTES = 512;

/** What one commit made of a document. */
export interface Change {
  readonly table: TableInfo;
  readonly id: string;
  /** The new version; null when it was deleted. */
  readonly doc: Doc | null;
  /** The version before; null when it was inserted. */
  readonly old: Doc | null;
  /** The commit's number. */
  readonly seq: number;
}

export class CommitWrites implements DurableCommit {
  readonly ts: Ts;
  private readonly changes: Change[] = [];
  private readonly tableKeys: readonly IndexKey[];
  private keys: readonly IndexKey[] | null = null;

  /** @param tableKeys keys of tables that the commit made */
  constructor(ts: Ts, tableKeys: readonly IndexKey[]) {
    this.ts = ts;
    this.tableKeys = tableKeys;
  }

  add(change: Change): void {
    this.changes.push(change);
  }

  get writes(): readonly IndexKey[] {
    return (this.keys ??= [...this.tableKeys, ...this.changes.flatMap(keysOf)]);
  }

  get heldBytes(): number {
    let bytes = 0;
    for (const { doc, old } of this.changes) {
      bytes += OVERHEAD_BYTES + (doc?.sizeBytes ?? 0) + (old?.sizeBytes ?? 0);
    }
    return bytes;
  }
}

/** A document's own key, and those it has or had in other indexes. */
function keysOf(change: Change): IndexKey[] {
  const { table, id, doc, old } = change;
  return [table.idKey(id), ...(doc?.indexKeys() ?? []), ...changedKeys(old, doc).removed];
}
