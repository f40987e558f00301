/** The fourteen identities of the access matrix, made in one backend. */
import { admin, person, signedIn, type Backend } from "../convex/support";

export const IDENTITIES = [
  "visitor",
  "wrong token",
  "signed-out token",
  "password step only",
  "pending",
  "rejected",
  "pending, password due",
  "rejected, password due",
  "member",
  "blocked",
  "protected",
  "restricted",
  "admin without second step",
  "admin",
] as const;
export type IdentityName = (typeof IDENTITIES)[number];

type Client = Pick<Backend, "query" | "mutation" | "action">;
type Identities = Record<IdentityName, Client>;

/** Creates every identity. No two share a person or a session. */
export async function makeIdentities(t: Backend): Promise<Identities> {
  const money = { checkingCents: 100_000n, savingsCents: 50_000n };
  const member = await person(t, "member@bank.example", money);
  const before = await person(t, "before@bank.example", { hasPassedCode: false });
  const applicant = { role: "pending", hasPassedCode: false } as const;
  const pending = await person(t, "pending@bank.example", { ...applicant, status: "pending" });
  const rejected = await person(t, "rejected@bank.example", { ...applicant, status: "rejected" });
  const due = { ...applicant, mustChangePassword: true };
  const pendingDue = await person(t, "due@bank.example", { ...due, status: "pending" });
  const rejectedDue = await person(t, "late@bank.example", { ...due, status: "rejected" });
  const blocked = await person(t, "blocked@bank.example", { ...money, transferCount: 2 });
  const vip = await person(t, "vip@bank.example", money);
  const restricted = await person(t, "restricted@bank.example", money);
  const root = await admin(t);
  const half = await person(t, "half@bank.example", {
    role: "admin",
    status: "active",
    hasPassedCode: false,
  });
  const gone = await signedIn(t, member.userId);
  await t.run(async (ctx) => {
    await ctx.db.delete("authSessions", gone.sessionId);
    const { userId } = restricted;
    await ctx.db.insert("restrictions", { userId, reason: "x", setBy: "x", setAt: 1 });
  });
  return {
    visitor: t,
    // Another person's session under one's own name.
    "wrong token": t.withIdentity({ subject: `${member.userId}|${root.sessionId}` }),
    "signed-out token": gone.as,
    "password step only": before.as,
    pending: pending.as,
    rejected: rejected.as,
    "pending, password due": pendingDue.as,
    "rejected, password due": rejectedDue.as,
    member: member.as,
    blocked: blocked.as,
    protected: vip.as,
    restricted: restricted.as,
    "admin without second step": half.as,
    admin: root.as,
  };
}
