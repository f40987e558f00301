/**
 * Requests for more information: asked by administrators, answered by the applicant.
 *
 * Spec section 4 "Request more information": the person's own status is unchanged.
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import { isUndecided } from "../shared/roles";
import { messageOf } from "./messages";
import { notify } from "./notify";
import { recordAct, type StaffCtx } from "./staffActs";
import { isActingAdmin, signInText } from "./standing";
import { change, getUser, listAdmins, listRow } from "./users";

/** More than anybody is ever asked. */
const REQUESTS_READ_MAX = 50;

const newestFirst = (ctx: QueryCtx, userId: Id<"users">) =>
  ctx.db
    .query("infoRequests")
    .withIndex("by_userId_and_createdAt", (q) => q.eq("userId", userId))
    .order("desc");

/** The requests made to a person, newest first. */
export async function requestsTo(
  ctx: QueryCtx,
  userId: Id<"users">,
): Promise<Doc<"infoRequests">[]> {
  return await newestFirst(ctx, userId).take(REQUESTS_READ_MAX);
}

/**
 * The request to show a person: the oldest unanswered one, so that none is lost when there are several;
 * otherwise the newest; null when there are none.
 */
export async function requestInTurn(
  ctx: QueryCtx,
  userId: Id<"users">,
): Promise<Doc<"infoRequests"> | null> {
  const oldest = await ctx.db
    .query("infoRequests")
    .withIndex("by_userId_and_status_and_createdAt", (q) =>
      q.eq("userId", userId).eq("status", "pending"),
    )
    .first();
  // One alone: a list reads it for each of its people.
  return oldest ?? (await newestFirst(ctx, userId).first());
}

/** A person as a row of the admin list, and whether they have answered all they were asked before a decision. */
export async function markedRow(ctx: QueryCtx, user: Doc<"users">) {
  const isAsked = user.documents?.verificationStatus === "info_requested";
  const request = isAsked ? await requestInTurn(ctx, user._id) : null;
  return { ...(await listRow(ctx, user)), hasAnswered: request?.status === "answered" };
}

/** A request as the applicant and administrators see it. */
export const requestView = (request: Doc<"infoRequests">) => ({
  requestId: request._id,
  text: request.requestDetails,
  requestedAt: request.createdAt,
  ...(request.answer === undefined ? {} : { answer: request.answer }),
  ...(request.answeredAt === undefined ? {} : { answeredAt: request.answeredAt }),
});

/**
 * Asks an applicant for more information; the person's own status is unchanged. Nobody else can be asked:
 * only people who are waiting have a page to answer on. The same question is open only once.
 * @throws AppError USER_NOT_FOUND, REASON_REQUIRED, INVALID_TEXT, ALREADY_DECIDED
 */
export async function requestInformation(
  ctx: StaffCtx,
  userId: Id<"users">,
  text: string,
): Promise<void> {
  const person = await getUser(ctx, userId);
  const requestDetails = messageOf(text);
  if (!isUndecided(person)) throw appError("ALREADY_DECIDED");
  // A page reloaded while it was asking may ask the same again.
  const isAskedAlready = (await requestsTo(ctx, userId)).some(
    (asked) => asked.status === "pending" && asked.requestDetails === requestDetails,
  );
  if (isAskedAlready) return;
  const createdAt = Date.now();
  await ctx.db.insert("infoRequests", { userId, requestDetails, status: "pending", createdAt });
  await change(ctx, person, {
    documents: {
      ...person.documents,
      verificationStatus: "info_requested",
      infoRequest: requestDetails,
      infoRequestedAt: createdAt,
    },
  });
  await recordAct(ctx, person, {
    notice: { kind: "registration", title: "We need more information", body: requestDetails },
    mail: {
      subject: "We need more information about your application",
      text: `${requestDetails}\n\n${signInText(person, "Please sign in and answer on your status page.")}`,
    },
    action: "registration.requestInformation",
    after: { request: requestDetails },
  });
}

/**
 * Records the applicant's answer to a request of their own, and, before a decision, tells every administrator who may decide.
 * @throws AppError NOT_FOUND, ALREADY_ANSWERED, REASON_REQUIRED, INVALID_TEXT
 */
export async function answerRequest(
  ctx: MutationCtx,
  user: Doc<"users">,
  requestId: Id<"infoRequests">,
  answerText: string,
): Promise<void> {
  const request = await ctx.db.get("infoRequests", requestId);
  if (request === null || request.userId !== user._id) throw appError("NOT_FOUND");
  if (request.status !== "pending") throw appError("ALREADY_ANSWERED");
  const answer = messageOf(answerText);
  await ctx.db.patch("infoRequests", requestId, {
    status: "answered",
    answer,
    answeredAt: Date.now(),
  });
  // Sent from a page that did not know: nobody waits for it any more.
  if (!isUndecided(user)) return;
  // Security: by the e-mail that signs in. Nobody has checked the name, nor read the answer.
  const body = `${user.email} has answered a request for information. See Pending Review.`;
  for (const admin of await listAdmins(ctx)) {
    if (!isActingAdmin(admin)) continue;
    await notify(ctx, admin._id, {
      kind: "registration",
      title: "An applicant has answered",
      body,
    });
  }
}
