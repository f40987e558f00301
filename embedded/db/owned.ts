/**
 * A set of owners that is nearly always tiny: mostly one owner, sometimes the queries of one page, rarely
 * thousands. There are many open queries, each with several such sets, so a `Set` for each would dominate
 * their memory.
 */

/** More owners than this are kept in a set. */
const LISTED_MAX = 16;

/** Owners are compared by identity; `undefined` cannot be one. */
export class Owned<T> {
  private only: T | undefined = undefined;
  /** All owners when there are several. An array is replaced on each change, so that it has no spare capacity. */
  private all: readonly T[] | Set<T> | null = null;

  get isOwned(): boolean {
    return this.all !== null || this.only !== undefined;
  }

  /** True when it has, or had, several owners. */
  get isShared(): boolean {
    return this.all !== null;
  }

  /** Returns false when it was an owner already. */
  addOwner(owner: T): boolean {
    const { only, all } = this;
    if (all === null) {
      if (only === undefined) this.only = owner;
      else if (only === owner) return false;
      else {
        this.all = [only, owner];
        this.only = undefined;
      }
      return true;
    }
    if (!(all instanceof Set)) {
      if (all.includes(owner)) return false;
      this.all = all.length < LISTED_MAX ? all.concat(owner) : new Set(all).add(owner);
      return true;
    }
    if (all.has(owner)) return false;
    all.add(owner);
    return true;
  }

  /** Returns true when no owner is left. */
  removeOwner(owner: T): boolean {
    const { all } = this;
    if (all === null) {
      if (this.only === owner) this.only = undefined;
      return this.only === undefined;
    }
    if (all instanceof Set) {
      all.delete(owner);
      if (all.size === 0) this.all = null;
      return all.size === 0;
    }
    const rest = all.filter((one) => one !== owner);
    this.all = rest.length === 0 ? null : rest;
    return rest.length === 0;
  }

  visitOwners(visitor: (owner: T) => void): void {
    if (this.all !== null) this.all.forEach((owner) => visitor(owner));
    else if (this.only !== undefined) visitor(this.only);
  }
}
