/** What one commit wrote, as index keys. They are computed on first use, because they are rarely needed. */
import type { TableInfo } from "./catalog.ts";
import { changedKeys, heapBytesOf, type Doc } from "./document.ts";
import type { DurableCommit, IndexKey, Ts } from "./types.ts";

/** One commit's change to one document. */
export interface Change {
  readonly table: TableInfo;
  readonly id: string;
  /** The new version; null when it was deleted. */
  readonly doc: Doc | null;
  /** The version before; null when it was inserted. */
  readonly old: Doc | null;
  /** The sequence number of the commit. */
  readonly seq: number;
}

/** Filled by `add` while the commit is made, and not changed after that. */
export class CommitWrites implements DurableCommit {
  readonly ts: Ts;
  private readonly changes: Change[] = [];
  private readonly tableKeys: readonly IndexKey[];
  private keys: readonly IndexKey[] | null = null;

  /** @param tableKeys existence keys of the tables that the commit created */
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
    for (const { doc, old } of this.changes) bytes += heapBytesOf(doc) + (old?.sizeBytes ?? 0);
    return bytes;
  }
}

/** The document's key in `by_id`, and its new and old keys in the other indexes. */
function keysOf(change: Change): IndexKey[] {
  const { table, id, doc, old } = change;
  return [table.idKey(id), ...(doc?.indexKeys() ?? []), ...changedKeys(old, doc).removed];
}
