/**
 * The builders: the only door to registered functions. The name of the builder is the permission.
 *
 * Each runs its guard before the handler, adds the caller to `ctx`, bounds the page size a client asks
 * for, refuses to be built without `args` and `returns`, and brands the function with `_guard`, which
 * the surface test reads and without which the server does not start.
 * Not here: the checks themselves (model/access).
 */
import {
  makeFunctionReference,
  type ArgsArrayForOptionalValidator,
  type ArgsArrayToObject,
  type DefaultArgsForOptionalValidator,
  type DefaultFunctionArgs,
  type FunctionReference,
  type FunctionVisibility,
  type RegisteredAction,
  type RegisteredMutation,
  type RegisteredQuery,
  type ReturnValueForOptionalValidator,
} from "convex/server";
import { ConvexError, type GenericValidator, type PropertyValidators } from "convex/values";
import {
  action,
  httpAction,
  internalAction as rawInternalAction,
  internalMutation as rawInternalMutation,
  internalQuery as rawInternalQuery,
  mutation,
  query,
  type ActionCtx,
  type MutationCtx,
  type QueryCtx,
} from "./_generated/server";
import type { Doc, Id } from "./_generated/dataModel";
import { REQUIRE, refuseExpired, type Caller, type Guard } from "./model/access";
import { answerPreflight, readableForPages } from "./model/crossOrigin";
import { appError, isAppErrorData } from "./shared/errors";
import { PAGE_ROWS_MAX } from "./shared/limits";

/** What guarded functions work with. */
type MemberQueryCtx = QueryCtx & Caller;
type MemberMutationCtx = MutationCtx & Caller;

type GuardedKind = Exclude<Guard, "public">;

/** What every function of the product declares: both validators and a handler. */
type Definition<Ctx, Args, Returns, OneOrZeroArgs extends unknown[], ReturnValue> = {
  args: Args;
  returns: Returns;
  handler: (ctx: Ctx, ...args: OneOrZeroArgs) => ReturnValue;
};
type ArgsOf = PropertyValidators | GenericValidator;

type Registered<
  Kind extends "query" | "mutation" | "action",
  Visibility extends FunctionVisibility,
  Args extends DefaultFunctionArgs,
  ReturnValue,
> = {
  query: RegisteredQuery<Visibility, Args, ReturnValue>;
  mutation: RegisteredMutation<Visibility, Args, ReturnValue>;
  action: RegisteredAction<Visibility, Args, ReturnValue>;
}[Kind];

/** Like Convex's own builders, with another context and without optional validators. */
type Builder<
  Kind extends "query" | "mutation" | "action",
  Visibility extends FunctionVisibility,
  Ctx,
> = <
  Args extends ArgsOf,
  Returns extends ArgsOf,
  ReturnValue extends ReturnValueForOptionalValidator<Returns>,
  OneOrZeroArgs extends ArgsArrayForOptionalValidator<Args> = DefaultArgsForOptionalValidator<Args>,
>(
  definition: Definition<Ctx, Args, Returns, OneOrZeroArgs, ReturnValue>,
) => Registered<Kind, Visibility, ArgsArrayToObject<OneOrZeroArgs>, ReturnValue>;

type LooseDefinition = Definition<object, unknown, unknown, [unknown], unknown>;

/** The arguments with their page size bounded: no client may choose it freely, whatever the function. */
function withPageBound(values: unknown): unknown {
  const { paginationOpts } = (values ?? {}) as { paginationOpts?: { numItems: number } };
  if (paginationOpts === undefined) return values;
  const numItems = Math.min(Math.max(1, Math.floor(paginationOpts.numItems) || 1), PAGE_ROWS_MAX);
  return { ...(values as object), paginationOpts: { ...paginationOpts, numItems } };
}

/**
 * Wraps a raw builder: runs the guard first, adds what it found to the context, requires both
 * validators and brands the result.
 */
function build<Kind extends "query" | "mutation" | "action", V extends FunctionVisibility, Ctx>(
  raw: unknown,
  guard: Guard | "internal",
  prepare?: (ctx: never) => Promise<object>,
): Builder<Kind, V, Ctx> {
  const rawBuilder = raw as (definition: LooseDefinition) => object;
  const builder = (definition: LooseDefinition): object => {
    const { args, returns, handler } = definition;
    if (!args || !returns) throw new Error(`A ${guard} function needs both args and returns`);
    const guarded: LooseDefinition["handler"] = async (ctx, values) => {
      const found = await prepare?.(ctx as never);
      // Not a spread, which would give each call's context a shape of its own (README, decision 32).
      const guardedCtx = found === undefined ? ctx : Object.assign({}, ctx, found);
      return await handler(guardedCtx, withPageBound(values));
    };
    return Object.assign(rawBuilder({ args, returns, handler: guarded }), { _guard: guard });
  };
  // Built untyped above; `Builder` restores what Convex's own builders promise.
  return builder as unknown as Builder<Kind, V, Ctx>;
}

const guardedQuery = (guard: GuardedKind) =>
  build<"query", "public", MemberQueryCtx>(query, guard, (ctx: QueryCtx) => REQUIRE[guard](ctx));

const guardedMutation = (guard: GuardedKind) =>
  build<"mutation", "public", MemberMutationCtx>(mutation, guard, async (ctx: MutationCtx) =>
    refuseExpired(ctx, await REQUIRE[guard](ctx), Date.now()),
  );

/** What a guarded action knows about its caller. */
export type ActionCaller = {
  readonly user: Pick<Doc<"users">, "_id" | "email">;
  readonly sessionId: Id<"authSessions">;
};

/**
 * The internal query that runs a guard for an action, which has no database of its own. By name, because the
 * type of `internal` depends on this module's own; `makeFunctionReference` types every function as public.
 */
const checkCaller = makeFunctionReference<"query">(
  "viewer:checkCaller",
) as unknown as FunctionReference<
  "query",
  "internal",
  { guard: GuardedKind; nowMs: number },
  ActionCaller
>;

const guardedAction = (guard: GuardedKind) =>
  build<"action", "public", ActionCtx & ActionCaller>(action, guard, (ctx: ActionCtx) =>
    ctx.runQuery(checkCaller, { guard, nowMs: Date.now() }),
  );

/** Anyone. */
export const publicQuery = build<"query", "public", QueryCtx>(query, "public");
/** Anyone, even without a token: its own rules must bound what it writes. */
export const publicMutation = build<"mutation", "public", MutationCtx>(mutation, "public");
/** Anyone. It has no database of its own: what it calls must be internal functions. */
export const publicAction = build<"action", "public", ActionCtx>(action, "public");

/** Signed in with the password; perhaps pending, rejected or before the code. */
export const sessionQuery = guardedQuery("session");
/**
 * Like `sessionQuery`, but refused once the session has ended.
 * @throws AppError NOT_SIGNED_IN
 */
export const sessionMutation = guardedMutation("session");

/** Changing one's password: after the second step; without one only where none is given and a change is due. */
export const passwordChangeAction = guardedAction("passwordChange");

/** Approved or active, after the second step. */
export const memberQuery = guardedQuery("member");
/**
 * Like `memberQuery`, but refused once the session has ended.
 * @throws AppError those of `requireMember`, then NOT_SIGNED_IN for a session that has ended
 */
export const memberMutation = guardedMutation("member");

/** Administrators, after the second step. */
export const adminQuery = guardedQuery("admin");
/**
 * Like `adminQuery`, but refused once the session has ended.
 * @throws AppError those of `requireAdmin`, then NOT_SIGNED_IN for a session that has ended
 */
export const adminMutation = guardedMutation("admin");
/**
 * Like `adminMutation`, but judged only before it starts: whatever it writes later judges the caller
 * again.
 */
export const adminAction = guardedAction("admin");

/** Our own functions; no client reaches them. */
export const internalQuery = build<"query", "internal", QueryCtx>(rawInternalQuery, "internal");
/** Ours: for actions, jobs and scheduled work. Nobody is judged unless the handler does so. */
export const internalMutation = build<"mutation", "internal", MutationCtx>(
  rawInternalMutation,
  "internal",
);
/** Ours: for jobs and scripts. */
export const internalAction = build<"action", "internal", ActionCtx>(rawInternalAction, "internal");

function refusalResponse(error: unknown): Response {
  if (error instanceof ConvexError && isAppErrorData(error.data)) {
    const { code, message } = error.data;
    const isSignInMissing = code === "NOT_SIGNED_IN" || code === "OTP_REQUIRED";
    return Response.json({ code, message }, { status: isSignInMissing ? 401 : 403 });
  }
  throw error;
}

/**
 * An HTTP action for members, readable by the product's pages wherever they are. Refusals return 401 or
 * 403 with `{code, message}`. Its route needs a `preflight` route beside it.
 */
export function memberHttpAction(
  handler: (ctx: ActionCtx & ActionCaller, request: Request) => Promise<Response>,
) {
  const answer = async (ctx: ActionCtx, request: Request): Promise<Response> => {
    let caller: ActionCaller;
    // A malformed token makes every look at the identity fail; to the caller it counts as missing.
    const isTokenReadable = await ctx.auth.getUserIdentity().then(
      () => true,
      () => false,
    );
    if (!isTokenReadable) return refusalResponse(appError("NOT_SIGNED_IN"));
    try {
      caller = await ctx.runQuery(checkCaller, { guard: "member", nowMs: Date.now() });
    } catch (error) {
      return refusalResponse(error);
    }
    return await handler({ ...ctx, ...caller }, request);
  };
  const built = httpAction(async (ctx: ActionCtx, request) =>
    readableForPages(request, await answer(ctx, request)),
  );
  return Object.assign(built, { _guard: "member" as const });
}

/** What browsers ask first, without a token. It reveals nothing and does nothing. */
export const preflight = Object.assign(
  httpAction(async (_ctx, request) => answerPreflight(request)),
  { _guard: "public" as const },
);
