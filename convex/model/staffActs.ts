/**
 * How an act of staff on a person ends: on the person's security page, in the bell and by e-mail as far as they are to
 * hear of it, and always in the audit log; in the mutation of the act.
 *
 * Not here: who may act (model/access), and on whom (model/standing); the only writers of what this writes
 * (model/audit, model/securityEvents, model/notify).
 */
import type { Doc } from "../_generated/dataModel";
import type { MutationCtx } from "../_generated/server";
import { INSTITUTION } from "../shared/institution";
import type { Caller } from "./access";
import * as audit from "./audit";
import { mail, notify, type Mail, type Notice } from "./notify";
import type { Approval } from "./secondAdmin";
import * as securityEvents from "./securityEvents";

/** What every act of staff works with: who acts, and the request that is being carried out, if it is one. */
export type StaffCtx = MutationCtx & Caller & Approval;

/** The audit entry of an act on a person, and what the person is told. */
type StaffAct = Pick<audit.AuditEntry, "action" | "accountId" | "before" | "after" | "reason"> & {
  /** By default the person's e-mail. */
  readonly targetLabel?: string;
  /** A line on the security page, such as "Staff changed your role." */
  readonly event?: string;
  readonly notice?: Notice;
  readonly mail?: Mail;
};

/** Ends an e-mail about a change that the person may not have asked for. */
export const IF_NOT_REQUESTED = `If you did not request it, call us at once: ${INSTITUTION.supportPhone}.`;

/** Tells the person, and appends the audit entry. Once for each act, as the last thing it does. */
export async function recordAct(ctx: StaffCtx, person: Doc<"users">, act: StaffAct): Promise<void> {
  const { event, notice, mail: letter, targetLabel = person.email, ...entry } = act;
  if (event !== undefined) await securityEvents.record(ctx, person._id, "staffChange", event);
  if (notice !== undefined) await notify(ctx, person._id, notice);
  if (letter !== undefined) await mail(ctx, person, letter);
  await audit.append(ctx, { actor: ctx.user, targetLabel, personId: person._id, ...entry });
}
