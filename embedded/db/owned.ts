/**
 * A set of owners that is nearly always tiny: mostly one owner, sometimes the queries of one page, rarely
 * thousands. There are many open queries, each with several such sets, so a `Set` for each would dominate
 * their memory.
 */

/** More owners than this are kept in a set. */
const LISTED_MAX = 16;

type Several<T> = readonly T[] | Set<T>;

/** Owners are compared by identity; they can be neither `undefined`, nor arrays or sets themselves. */
export class Owned<T> {
  /** The only owner, or several. An array is replaced on each change, by `concat`, which leaves no spare capacity. */
  private owners: T | Several<T> | undefined = undefined;

  get isOwned(): boolean {
    return this.owners !== undefined;
  }

  /** True when it has, or had, several owners. */
  get isShared(): boolean {
    return isSeveral(this.owners);
  }

  /** Returns false when it was an owner already. */
  addOwner(owner: T): boolean {
    const { owners } = this;
    if (owners === undefined) this.owners = owner;
    else if (!isSeveral(owners)) {
      if (owners === owner) return false;
      this.owners = [owners, owner];
    } else if (owners instanceof Set) {
      if (owners.has(owner)) return false;
      owners.add(owner);
    } else {
      if (owners.includes(owner)) return false;
      this.owners = owners.length < LISTED_MAX ? owners.concat(owner) : new Set(owners).add(owner);
    }
    return true;
  }

  /** Returns true when no owner is left. */
  removeOwner(owner: T): boolean {
    const { owners } = this;
    if (!isSeveral(owners)) {
      if (owners === owner) this.owners = undefined;
    } else if (owners instanceof Set) {
      owners.delete(owner);
      if (owners.size === 0) this.owners = undefined;
    } else {
      const rest = owners.filter((one) => one !== owner);
      this.owners = rest.length === 0 ? undefined : rest;
    }
    return this.owners === undefined;
  }

  visitOwners(visitor: (owner: T) => void): void {
    const { owners } = this;
    if (owners === undefined) return;
    if (isSeveral(owners)) owners.forEach((owner) => visitor(owner));
    else visitor(owners);
  }
}

function isSeveral<T>(owners: T | Several<T> | undefined): owners is Several<T> {
  return Array.isArray(owners) || owners instanceof Set;
}
