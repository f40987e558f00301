/** Random work of two administrators: counts, filters and searches agree with a simple model, step by step. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { api, internal as functions } from "../../convex/_generated/api";
import { VERIFICATION_CHECKS } from "../../convex/shared/validators";
import { longer, SCALE } from "../support/chance";
import {
  admin,
  newBackend,
  newUser,
  person,
  refusalOf,
  type Backend,
  type Person,
} from "./support";

const TIMEOUT_MS = 120_000 * SCALE;

type Status = "pending" | "approved" | "rejected" | "active";
type Id = Person["userId"];
interface Known {
  readonly email: string;
  readonly name: string;
  status: Status;
  role: "user" | "pending" | "admin";
}

const WORD = fc.constantFrom("ana", "anna", "ann", "bo", "Bo-Ann", "Ánna", "o'ana");
const STEP = fc.record({
  kind: fc.constantFrom("apply", "create", "approve", "reject", "setRole", "disable", "ask"),
  /** Whom it is about, among those there are. */
  at: fc.nat(),
  /** Which of the two administrators does it. */
  by: fc.nat(1),
  name: fc.array(WORD, { minLength: 1, maxLength: 3 }).map((words) => words.join(" ")),
});
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

const SEARCHES = ["an", "ann", "anna b", "bo", "o'", "p1", "nobody"] as const;
const FILTERS = ["all", "pending", "approved", "rejected"] as const;

/** The back office and what should be in it. */
class Office {
  private readonly people = new Map<Id, Known>();
  private readonly ticked = new Set<Id>();
  private readonly t: Backend;
  private readonly admins: readonly [Person, Person];

  private constructor(t: Backend, admins: readonly [Person, Person]) {
    this.t = t;
    this.admins = admins;
    for (const { userId, email } of admins) {
      const name = email.split("@")[0] ?? "";
      this.people.set(userId, { email, name, status: "active", role: "admin" });
    }
  }

  static async open(): Promise<Office> {
    const t = newBackend();
    return new Office(t, [await admin(t), await admin(t, "second@bank.example")]);
  }

  async do(step: Step): Promise<void> {
    const { as } = this.admins[step.by === 0 ? 0 : 1];
    const [userId, known] = [...this.people][step.at % this.people.size] ?? [];
    if (userId === undefined || known === undefined) throw new Error("nobody");
    const isOneself = this.admins[step.by === 0 ? 0 : 1].userId === userId;
    // The first administrator stays one, so that somebody can always act.
    const isFounder = this.admins.some((founder) => founder.userId === userId);
    if (isFounder && ["reject", "setRole", "disable"].includes(step.kind) && !isOneself) return;
    const wasAccepted = known.status === "approved" || known.status === "active";
    switch (step.kind) {
      case "apply":
        return await this.apply(step.name);
      case "create":
        return await this.create(as, step.name);
      case "approve": {
        const call = as.mutation(api.admin.registrations.approve, { userId });
        if (wasAccepted) expect(await refusalOf(call)).toBe("ALREADY_DECIDED");
        else if (known.role === "pending" && !this.ticked.has(userId)) {
          expect(await refusalOf(call)).toBe("CHECKS_INCOMPLETE");
          await this.tickAll(as, userId);
        } else {
          await call;
          Object.assign(known, { status: "approved", role: "user" });
        }
        return;
      }
      case "reject": {
        const call = as.mutation(api.admin.registrations.reject, { userId, reason: "No" });
        if (isOneself) expect(await refusalOf(call)).toBe("OWN_ACCOUNT_FORBIDDEN");
        else if (known.status === "rejected") {
          expect(await refusalOf(call)).toBe("ALREADY_DECIDED");
        } else {
          await call;
          Object.assign(known, { status: "rejected", role: "pending" });
        }
        return;
      }
      case "setRole": {
        const role = known.role === "admin" ? "user" : "admin";
        const call = as.mutation(api.admin.users.setRole, { userId, role });
        if (isOneself) expect(await refusalOf(call)).toBe("OWN_ACCOUNT_FORBIDDEN");
        else if (!wasAccepted) expect(await refusalOf(call)).toBe("PERSON_NOT_APPROVED");
        else {
          await call;
          known.role = role;
        }
        return;
      }
      case "disable": {
        const args = { userId, isDisabled: step.at % 3 !== 0, reason: "x" };
        const call = as.mutation(api.admin.users.setDisabled, args);
        if (isOneself) expect(await refusalOf(call)).toBe("OWN_ACCOUNT_FORBIDDEN");
        else await call;
        return;
      }
      case "ask": {
        const args = { userId, text: `About ${step.name}` };
        const call = as.mutation(api.admin.registrations.requestInformation, args);
        if (known.status === "pending") await call;
        else expect(await refusalOf(call)).toBe("ALREADY_DECIDED");
        return;
      }
    }
  }

  private async tickAll(as: Person["as"], userId: Id): Promise<void> {
    for (const check of VERIFICATION_CHECKS) {
      await as.mutation(api.admin.registrations.setCheck, { userId, check, isChecked: true });
    }
    this.ticked.add(userId);
  }

  private async apply(name: string): Promise<void> {
    const email = `p${this.people.size}@mail.example`;
    const standing = { role: "pending", status: "pending", name, hasPassedCode: false } as const;
    const { userId } = await person(this.t, email, standing);
    this.people.set(userId, { email, name, status: "pending", role: "pending" });
  }

  private async create(as: Person["as"], name: string): Promise<void> {
    const email = `p${this.people.size}@mail.example`;
    const { password: _hashed, ...fields } = newUser({ name, email });
    const command = { ...fields, passwordHash: "no-password" };
    const { userId } = await as.mutation(functions.admin.users.writeCreated, command);
    this.people.set(userId, { email, name, status: "active", role: "user" });
  }

  /** Everything an administrator sees of people agrees with the model. */
  async check(): Promise<void> {
    const counts = await this.admins[0].as.query(api.admin.users.counts, {});
    for (const filter of FILTERS) {
      const expected = this.emails((known) => filter === "all" || known.status === filter);
      expect(counts[filter], `number of ${filter}`).toBe(expected.length);
      const status = filter === "all" ? {} : { status: filter };
      expect(await this.list(status), filter).toEqual(expected);
      for (const search of SEARCHES) {
        const found = this.emails(
          (known) =>
            (filter === "all" || known.status === filter) &&
            [known.email, ...turned(known.name)].some((key) => key.startsWith(search)),
        );
        expect(await this.list({ ...status, search }), `${filter}, "${search}"`).toEqual(found);
      }
    }
    const resettable = await pages((paginationOpts) =>
      this.admins[0].as.query(api.admin.transferCounts.list, { paginationOpts }),
    );
    expect(resettable.map(({ email }) => email).sort()).toEqual(
      this.emails(({ role }) => role !== "admin"),
    );
  }

  private emails(isWanted: (known: Known) => boolean): string[] {
    return [...this.people.values()]
      .filter(isWanted)
      .map(({ email }) => email)
      .sort();
  }

  private async list(filter: {
    status?: "pending" | "approved" | "rejected";
    search?: string;
  }): Promise<string[]> {
    const rows = await pages((paginationOpts) =>
      this.admins[0].as.query(api.admin.users.list, { ...filter, paginationOpts }),
    );
    for (const row of rows) {
      const { status, role, name } = this.people.get(row._id) ?? {};
      expect(row).toMatchObject({ status, role, name });
    }
    return rows.map(({ email }) => email).sort();
  }
}

/** A name begun at each of its words, in lower case. */
function turned(name: string): string[] {
  const words = name.normalize("NFKC").toLowerCase().split(" ");
  return words.map((_, at) => [...words.slice(at), ...words.slice(0, at)].join(" "));
}

type Options = { numItems: number; cursor: string | null };

/** All rows of a list, three at a time. */
async function pages<Row>(
  read: (options: Options) => Promise<{ page: Row[]; isDone: boolean; continueCursor: string }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = null; ;) {
    const found = await read({ numItems: 3, cursor });
    rows.push(...found.page);
    if (found.isDone) return rows;
    cursor = found.continueCursor;
  }
}

test(
  "counts, filters and searches are those of the people there are, after every change",
  async () => {
    const history = fc.asyncProperty(
      fc.array(STEP, { minLength: 20, maxLength: 60 }),
      async (steps) => {
        const office = await Office.open();
        for (const [at, step] of steps.entries()) {
          await office.do(step);
          if (at % 10 === 9) await office.check();
        }
        await office.check();
      },
    );
    await fc.assert(history, longer(4));
  },
  TIMEOUT_MS,
);
