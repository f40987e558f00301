/**
 * A back-of-the-napkin bank: numbers in a map, no ledger, no projections. The product must agree with it after every
 * step of any history.
 */
export type Pocket = "Checking" | "Savings";
type Row = { id: number; moves: [string, bigint][]; owners: string[]; isPending: boolean };

export class SimpleBank {
  readonly balances = new Map<string, bigint>();
  readonly counts = new Map<string, number>();
  readonly rows = new Map<number, Row>();
  #nextId = 0;

  open(person: string, cents: bigint): void {
    this.balances.set(`${person} Checking`, cents).set(`${person} Savings`, 0n);
    this.counts.set(person, 0);
  }

  /** A transfer; with `to` null it leaves the bank. Returns a refusal's code or null. */
  transfer(person: string, from: Pocket, to: string | null, cents: bigint): string | null {
    const source = `${person} ${from}`;
    if (source === to) return "SAME_ACCOUNT";
    if ((this.counts.get(person) ?? 0) >= 2) return "TRANSFER_BLOCKED";
    if (cents <= 0n) return "INVALID_AMOUNT";
    if (cents > (this.balances.get(source) ?? 0n)) return "INSUFFICIENT_FUNDS";
    const moves: [string, bigint][] = [[source, -cents]];
    if (to !== null) moves.push([to, cents]);
    this.counts.set(person, (this.counts.get(person) ?? 0) + 1);
    this.#apply({ id: ++this.#nextId, moves, owners: moves.map(([key]) => key), isPending: false });
    return null;
  }

  /** A row entered by an administrator; a Pending one waits without moving anything. */
  enter(account: string, signedCents: bigint, isPending: boolean): string | null {
    if (!isPending && (this.balances.get(account) ?? 0n) + signedCents < 0n) {
      return "INSUFFICIENT_FUNDS";
    }
    const moves: [string, bigint][] = isPending ? [] : [[account, signedCents]];
    this.#apply({ id: ++this.#nextId, moves, owners: [account], isPending });
    return null;
  }

  setBalance(account: string, cents: bigint): void {
    this.balances.set(account, cents);
  }

  remove(id: number): string | null {
    const row = this.rows.get(id);
    if (row === undefined) return "TRANSACTION_NOT_FOUND";
    const after = row.moves.map(([key, cents]) => (this.balances.get(key) ?? 0n) - cents);
    if (row.moves.some(([, cents], index) => cents > 0n && (after[index] ?? 0n) < 0n)) {
      return "REVERSAL_OVERDRAWS";
    }
    for (const [key, cents] of row.moves)
      this.balances.set(key, (this.balances.get(key) ?? 0n) - cents);
    this.rows.delete(id);
    return null;
  }

  reset(person: string): void {
    this.counts.set(person, 0);
  }

  total(): bigint {
    return [...this.balances.values()].reduce((sum, cents) => sum + cents, 0n);
  }

  #apply(row: Row): void {
    for (const [key, cents] of row.moves)
      this.balances.set(key, (this.balances.get(key) ?? 0n) + cents);
    this.rows.set(row.id, row);
  }
}
