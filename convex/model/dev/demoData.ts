/**
 * Writes the demo data set (product decisions, section 4) through the same model functions that
 * serve real people, in one transaction: all of it or nothing.
 *
 * Not here: who the people are (model/dev/demoPeople), the member with history (model/dev/demoMember).
 */
import type { Doc } from "../../_generated/dataModel";
import type { MutationCtx } from "../../_generated/server";
import { replacementAccountNumber } from "../../shared/accountNumbers";
import { momentOf } from "../../shared/dates";
import { MS } from "../../shared/limits";
import { openPair } from "../accounts";
import * as audit from "../audit";
import { writeAdmin } from "../operator";
import { addCode } from "../otpCodes";
import { makeApproved, makeRejected, recordOf } from "../registrations";
import * as restrictions from "../restrictions";
import { submitTransfer } from "../transfers";
import { change, createWithPassword } from "../users";
import { HISTORY_FIRST_DATE } from "./demoHistory";
import { actAs, open, pairOf, writeHistory, type CheckImages } from "./demoMember";
import {
  DEMO_ADMIN,
  DEMO_APPLICANTS,
  DEMO_CODES,
  DEMO_EMAILS,
  DEMO_REJECTION_REASON,
  type DemoApplicant,
} from "./demoPeople";

const SYSTEM = "demo data set";

// --- People ---------------------------------------------------------------------------------------

/** Her two transfers are real, so that her count of 2 is true. */
async function writeBlocked(
  ctx: MutationCtx,
  nora: Doc<"users">,
  person: DemoApplicant,
): Promise<void> {
  const pair = await pairOf(ctx, nora._id);
  const movedCents = 2_500n;
  await open(ctx, pair.Checking, person.checkingCents + 2n * movedCents, nora.createdAt);
  await open(ctx, pair.Savings, person.savingsCents - 2n * movedCents, nora.createdAt);
  for (const reference of ["Rainy day", "Holiday"]) {
    // The count is raised from the caller's record: read it again for each transfer.
    const noraNow = (await ctx.db.get("users", nora._id)) ?? nora;
    await actAs(ctx, noraNow, async (asNora) => {
      await submitTransfer(asNora, {
        transferType: "internal",
        fromAccount: "Checking",
        toAccount: "Savings",
        amountCents: movedCents,
        reference,
        requestKey: `demo-${reference}`,
      });
    });
  }
}

async function writeApproved(
  ctx: MutationCtx,
  applicant: Doc<"users">,
  person: DemoApplicant,
  checkImages: CheckImages,
  nowMs: number,
): Promise<void> {
  // Accounts of long-standing members have 10-digit numbers, shown in groups 3-3-4.
  await openPair(ctx, applicant._id, nowMs, replacementAccountNumber);
  const member = await makeApproved(ctx, applicant, SYSTEM);
  if (person.email === DEMO_EMAILS.withHistory) {
    await writeHistory(ctx, member, person, checkImages, nowMs);
    return;
  }
  if (person.email === DEMO_EMAILS.blocked) {
    await writeBlocked(ctx, member, person);
    return;
  }
  const pair = await pairOf(ctx, member._id);
  await open(ctx, pair.Checking, person.checkingCents, member.createdAt);
  await open(ctx, pair.Savings, person.savingsCents, member.createdAt);
  if (person.email === DEMO_EMAILS.isProtected) await change(ctx, member, { isProtected: true });
  if (person.email === DEMO_EMAILS.restricted) {
    await restrictions.set(ctx, member._id, {
      reason: "Unusual activity is being reviewed",
      setBy: DEMO_ADMIN.email,
    });
  }
}

/** Nobody's history begins before they joined. */
function joinedAt(person: DemoApplicant, nowMs: number): number {
  const chosenMs = nowMs - person.joinedDaysAgo * MS.DAY_MS;
  return person.email === DEMO_EMAILS.withHistory
    ? Math.min(chosenMs, momentOf(HISTORY_FIRST_DATE) - MS.DAY_MS)
    : chosenMs;
}

async function writeApplicant(
  ctx: MutationCtx,
  person: DemoApplicant,
  passwordHash: string,
  checkImages: CheckImages,
  nowMs: number,
): Promise<void> {
  const applicant = await createWithPassword(
    ctx,
    {
      email: person.email,
      role: "pending",
      status: "pending",
      createdAt: joinedAt(person, nowMs),
      ...recordOf(person.application),
    },
    passwordHash,
  );
  if (person.standing === "approved") {
    await writeApproved(ctx, applicant, person, checkImages, nowMs);
  }
  if (person.standing === "rejected") await makeRejected(ctx, applicant, DEMO_REJECTION_REASON);
}

/**
 * Writes everyone. For an empty database; `passwordHash` is that of the demo password,
 * `checkImages` are already stored.
 */
export async function writeDemo(
  ctx: MutationCtx,
  passwordHash: string,
  checkImages: CheckImages,
  nowMs: number,
): Promise<void> {
  await writeAdmin(ctx, DEMO_ADMIN, passwordHash, nowMs - 1_250 * MS.DAY_MS);
  for (const code of DEMO_CODES) await addCode(ctx, code, SYSTEM);
  for (const person of DEMO_APPLICANTS) {
    await writeApplicant(ctx, person, passwordHash, checkImages, nowMs);
  }
  await audit.append(ctx, { action: "demo.seed", targetLabel: SYSTEM });
}
