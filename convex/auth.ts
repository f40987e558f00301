/**
 * Sign-in, sign-up, refresh, sign-out. The only file that calls the auth library (the schema has its tables).
 *
 * The library keeps sessions and tokens. Everything a stranger can reach goes through our own strict
 * functions first: limits before hashing, the same reply for unknown and wrong, no password check for a known
 * e-mail at sign-up, refresh tokens checked before the library (which would delete the session named in a
 * bogus one). The password step opens only `session…` functions.
 * Not here: the steps' database work (authSteps), the second step (otp).
 */
import { ConvexCredentials } from "@convex-dev/auth/providers/ConvexCredentials";
import { convexAuth } from "@convex-dev/auth/server";
import { v, type Infer } from "convex/values";
import { internal } from "./_generated/api";
import type { Id } from "./_generated/dataModel";
import type { ActionCtx } from "./_generated/server";
import { publicAction, publicQuery } from "./functions";
import { findCaller } from "./model/access";
import { newPasswordParameters, parametersOf, randomHex } from "./model/crypto";
import { deriveInTurn, hashInTurn, NO_SENDER } from "./model/hashQueue";
import { addressKeys } from "./model/limits";
import { prepareNewSession } from "./model/sessions";
import { canonicalEmail, isEmail } from "./shared/email";
import { appError, isErrorCode, type ErrorCode } from "./shared/errors";
import { dateOf } from "./shared/dates";
import {
  EMAIL_LENGTH_MAX,
  JWT_LIFE_MS,
  MEMBER_SESSION_LIFE_MS,
  PASSWORD_LENGTH_MAX,
} from "./shared/limits";
import { isPlainText } from "./shared/plainText";
import { firstRefusal } from "./shared/rules/rule";
import { PASSWORD_RULES, SPECIFIED_PASSWORD_FACTS } from "./shared/rules/password";
import { APPLICATION_RULES, applicationOf, type Application } from "./shared/rules/signup";
import { vApplication } from "./shared/validators";

/** Flat values and one application; anything else in it is ignored, never stored. */
const vSignInParams = v.record(
  v.string(),
  v.union(v.string(), v.number(), v.boolean(), v.null(), vApplication),
);
type SignInParams = Infer<typeof vSignInParams>;
type Credentials = { readonly email: string; readonly password: string };

const textParam = (params: Partial<Record<string, unknown>>, name: string): string => {
  const value = params[name];
  return typeof value === "string" ? value : "";
};

/** E-mail in canonical form and the password; over-long texts, and e-mails that no store takes, count as empty. */
function credentialsOf(params: Partial<Record<string, unknown>>): Credentials {
  const email = canonicalEmail(textParam(params, "email"));
  const password = textParam(params, "password");
  return {
    email: isPlainText(email, EMAIL_LENGTH_MAX) ? email : "",
    // Two code units per code point at most.
    password: password.length > 2 * PASSWORD_LENGTH_MAX ? "" : password,
  };
}

/** Whose turn it is among those who wait for a hash: a network as wide as sites are given, so that nobody has many. */
const senderOf = (networks: readonly string[]): string => networks.at(-1) ?? NO_SENDER;

/** Who the library makes tokens for; without a session it opens one. */
type SignedIn = { readonly userId: Id<"users">; readonly sessionId?: Id<"authSessions"> };

/**
 * The password step. Opens the session.
 * @throws AppError INVALID_CREDENTIALS, RATE_LIMITED
 */
async function signInWithPassword(ctx: ActionCtx, given: Credentials): Promise<SignedIn> {
  const { email, password } = given;
  if (email === "" || password === "") throw appError("INVALID_CREDENTIALS");
  const networks = await addressKeys(ctx);
  const start = await ctx.runMutation(internal.authSteps.startTry, {
    email,
    addressKeys: networks,
  });
  if (start.kind === "limited") throw appError("RATE_LIMITED");
  const sender = senderOf(networks);
  const parameters = start.storedHash === null ? null : parametersOf(start.storedHash);
  // An unknown e-mail costs the same hash, so that timing reveals nothing.
  const derivedHash = await deriveInTurn(password, parameters ?? newPasswordParameters(), sender);
  const outcome = await ctx.runMutation(internal.authSteps.settleTry, { email, derivedHash });
  if (outcome.kind === "limited") throw appError("RATE_LIMITED");
  if (outcome.kind === "wrong") throw appError("INVALID_CREDENTIALS");
  return { userId: outcome.userId, sessionId: outcome.sessionId };
}

/** Reads the application of a sign-up; null when none was sent. */
function applicationParam(params: Partial<Record<string, unknown>>): Application | null {
  const value = params.application;
  // The argument validator lets only a whole application through as an object.
  return typeof value === "object" && value !== null ? applicationOf(value as Application) : null;
}

/**
 * Creates the person, the application and the password account in one transaction.
 * @throws AppError INVALID_EMAIL_FORMAT, RATE_LIMITED (the address), EMAIL_TAKEN, WEAK_PASSWORD (and the other
 *   password refusals), the application's refusals, RATE_LIMITED (the e-mail, or as
 *   `hashInTurn`), in this order of precedence
 */
async function signUp(ctx: ActionCtx, params: SignInParams): Promise<Id<"users">> {
  const { email, password } = credentialsOf(params);
  if (!isEmail(email)) throw appError("INVALID_EMAIL_FORMAT");
  const application = applicationParam(params);
  const passwordRefusal = firstRefusal(
    PASSWORD_RULES,
    { email, password },
    SPECIFIED_PASSWORD_FACTS,
  );
  const applicationRefusal =
    application === null
      ? null
      : firstRefusal(APPLICATION_RULES, application, { todayIso: dateOf(Date.now()) });
  const networks = await addressKeys(ctx);
  const refusal = await ctx.runMutation(internal.authSteps.startSignUp, {
    email,
    addressKeys: networks,
    passwordLength: [...password].length,
    refusals: [passwordRefusal, applicationRefusal].filter((code) => code !== null),
  });
  if (refusal !== null) throw refusalOf(refusal.code, refusal.minimum);
  const passwordHash = await hashInTurn(password, senderOf(networks));
  return await ctx.runMutation(internal.authSteps.register, {
    email,
    passwordHash,
    ...(application === null ? {} : { application }),
  });
}

function refusalOf(code: string, minimum: number) {
  const known: ErrorCode = isErrorCode(code) ? code : "SIGNUP_FAILED";
  return appError(known, { minimum });
}

/** What the library is given: one provider, which has done all its checks by the time it returns. */
const library = convexAuth({
  providers: [
    ConvexCredentials({
      id: "password",
      authorize: async (params, ctx) => {
        // The library types the context by its own data model; it is ours at run time.
        const actionCtx = ctx as unknown as ActionCtx;
        const flow = textParam(params, "flow");
        if (flow === "signUp") return { userId: await signUp(actionCtx, params as SignInParams) };
        if (flow === "signIn") return await signInWithPassword(actionCtx, credentialsOf(params));
        throw appError("INVALID_CREDENTIALS");
      },
    }),
  ],
  session: { totalDurationMs: MEMBER_SESSION_LIFE_MS, inactiveDurationMs: MEMBER_SESSION_LIFE_MS },
  jwt: {
    durationMs: JWT_LIFE_MS,
    // Two tokens of the same second would be identical, and the client stops refreshing.
    customClaims: async () => ({ salt: randomHex(8) }),
  },
  callbacks: {
    async beforeSessionCreation(ctx, { userId }) {
      await prepareNewSession(ctx, userId);
    },
  },
});

/** The library's own routes and its internal mutation, which it calls as `auth:store`. */
export const { auth, store } = library;

type Tokens = { token: string; refreshToken: string };
type SignInAnswer = { tokens: Tokens | null };
type SignInArgs = {
  provider?: "password";
  params?: SignInParams;
  refreshToken?: string;
};

async function callLibrary(ctx: ActionCtx, args: SignInArgs): Promise<SignInAnswer> {
  // The raw handler is not in the library's types; our strict action calls it directly.
  const { _handler } = library.signIn as unknown as {
    _handler: (ctx: ActionCtx, args: SignInArgs) => Promise<{ tokens?: Tokens | null }>;
  };
  return { tokens: (await _handler(ctx, args)).tokens ?? null };
}

async function refresh(ctx: ActionCtx, refreshToken: string): Promise<SignInAnswer> {
  const mayRefresh = await ctx.runMutation(internal.authSteps.startRefresh, { refreshToken });
  if (!mayRefresh) return { tokens: null };
  const answer = await callLibrary(ctx, { refreshToken });
  // The library refused a token that was ours: it was used before, or the session had ended.
  if (answer.tokens === null) {
    await ctx.runMutation(internal.authSteps.revokeCopied, { refreshToken });
  }
  return answer;
}

/**
 * Signs in or up with e-mail and password, or exchanges a refresh token.
 *
 * Spec section 7 "Sign-in service". The token opens only the functions of the password step until
 * `otp:verifyLogin` accepts a code in the same session; it stays valid through that step.
 * @throws AppError INVALID_CREDENTIALS, RATE_LIMITED; at sign-up as `signUp` above
 */
export const signIn = publicAction({
  args: {
    provider: v.optional(v.literal("password")),
    params: v.optional(vSignInParams),
    refreshToken: v.optional(v.string()),
    verifier: v.optional(v.string()),
  },
  returns: v.object({
    tokens: v.union(v.object({ token: v.string(), refreshToken: v.string() }), v.null()),
  }),
  handler: async (ctx, args): Promise<SignInAnswer> => {
    const { provider, params, refreshToken } = args;
    if (provider === undefined) {
      return refreshToken === undefined ? { tokens: null } : await refresh(ctx, refreshToken);
    }
    return await callLibrary(ctx, { provider, params: params ?? {} });
  },
});

/** Ends the caller's session, if there is one. */
export const signOut = publicAction({
  args: {},
  returns: v.null(),
  handler: async (ctx) => {
    await ctx.runMutation(internal.authSteps.endCurrentSession, {});
    return null;
  },
});

/** True while the caller's session is live, even before the second step. */
export const isAuthenticated = publicQuery({
  args: {},
  returns: v.boolean(),
  handler: async (ctx) => (await findCaller(ctx)) !== null,
});
