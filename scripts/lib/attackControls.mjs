/**
 * The protections of the threat model: for each, the smallest change of the sources that removes it, and the
 * attacks that must then succeed (their tests must fail). Run by `npm run test:attacks -- --controls` on a
 * copy of the sources (scripts/lib/controlRuns.mjs).
 *
 * A text that is not found exactly once is an error: a control that no longer removes anything proves
 * nothing. Long because each of the catalogue's attacks needs a control.
 */
const ATTACKS = "tests/attacks";
const EVERY = `${ATTACKS}/everyFunction.test.ts`;
const IDENTITY = `${ATTACKS}/identity.test.ts`;
const WIRE = `${ATTACKS}/wire.test.ts`;
const MONEY = `${ATTACKS}/money.test.ts`;
const TIME = `${ATTACKS}/time.test.ts`;
const EDGES = `${ATTACKS}/edges.test.ts`;
const STORE = `${ATTACKS}/store.test.ts`;
const RACES = "tests/conformance/wireRaces.test.ts";
const BROWSER = "tests/e2e/attacks.spec.ts";

const ACCESS = "convex/model/access.ts";
const OTP = "convex/model/otp.ts";
const OTP_CODES = "convex/model/otpCodes.ts";
const SERVER_ACCESS = "embedded/server/access.ts";

const control = (attacks, tests, name, file, from, to) => ({
  attacks,
  tests,
  name,
  edits: [{ file, from, to }],
});

/** Controls of single attacks, by number, or by the test's title where there is no number. */
export const CONTROLS = [
  control(
    [1],
    EVERY,
    "the role",
    ACCESS,
    `if (!isAdmin(caller.user)) throw appError("NOT_ADMIN");`,
    "",
  ),
  control(
    [2],
    EVERY,
    "every guard",
    "convex/functions.ts",
    "const found = await prepare?.(ctx as never);",
    "const found = prepare && (await prepare(ctx as never).catch(() => ({})));",
  ),
  control(
    [3],
    EVERY,
    "the second step",
    ACCESS,
    `if (caller.session.factor === null) throw appError("OTP_REQUIRED");`,
    "",
  ),
  control(
    [4],
    IDENTITY,
    "the second step belongs to one session",
    ACCESS,
    `await findFactor(ctx, subject.sessionId);`,
    `await ctx.db.query("sessionFactors").withIndex("by_userId", (q) => q.eq("userId", subject.userId)).first();`,
  ),
  control(
    [5],
    EVERY,
    "the standing",
    ACCESS,
    `if (!isApproved(caller.user)) throw appError("NOT_APPROVED");`,
    "",
  ),
  control(
    [6],
    IDENTITY,
    "the standing is read on each call",
    ACCESS,
    `if (!isApproved(caller.user)) throw appError("NOT_APPROVED");`,
    "",
  ),
  control(
    [7],
    IDENTITY,
    "signing out ends the session",
    "convex/authSteps.ts",
    "if (caller !== null) await endSession(ctx, caller.session.sessionId);",
    "",
  ),
  control(
    [8],
    IDENTITY,
    "the token's signature and claims",
    "embedded/runtime/tokens.ts",
    "const verified = await jwtVerify(token, key, {",
    "const verified = { payload: claimed as JWTPayload };\n      void (jwtVerify && key && {",
  ),
  control(
    [9],
    IDENTITY,
    "the deployment's key",
    "embedded/runtime/authenticator.ts",
    "timingSafeEqual(given, known)",
    "timingSafeEqual(given, given) && known",
  ),
  control(
    [10, 13],
    IDENTITY,
    "the fifth wrong code ends the session",
    OTP,
    "if (left <= 0) {",
    "if (left < -100) {",
  ),
  control(
    [11],
    IDENTITY,
    "wrong codes lock over all sessions",
    OTP,
    "const isLockDue = inRow % OTP_WRONG_IN_ROW_LOCK === 0;",
    "const isLockDue = inRow < 0;",
  ),
  control(
    [12],
    IDENTITY,
    "a wrong code is answered, not thrown",
    "convex/otp.ts",
    "if (!result.ok) {",
    `if (!result.ok) {\n      if (result.attemptsLeft !== 0) throw appError("INVALID_OTP");`,
  ),
  control(
    [14],
    IDENTITY,
    "a code is spent in its session",
    OTP,
    "if (inSession !== null) return true;",
    "",
  ),
  control(
    [15],
    IDENTITY,
    "a removed code is gone",
    OTP_CODES,
    `await ctx.db.delete("otpCodes", codeId);`,
    "",
  ),
  control(
    [16],
    IDENTITY,
    "sign-up stops at a known e-mail",
    "convex/authSteps.ts",
    `if ((await findByEmail(ctx, email)) !== null) return { code: "EMAIL_TAKEN", minimum };`,
    "",
  ),
  control(
    [17],
    TIME,
    "the first wait is short",
    "convex/model/passwordAttempts.ts",
    "PASSWORD_LOCK_MIN_MS * 2 ** Math.min(beyond, DOUBLINGS_MAX)",
    "PASSWORD_LOCK_MAX_MS",
  ),
  control(
    [18],
    STORE,
    "an unknown e-mail is hashed too",
    "convex/auth.ts",
    "const derivedHash = await deriveInTurn(password, parameters ?? newPasswordParameters(), sender);",
    `const derivedHash = parameters === null ? "" : await deriveInTurn(password, parameters, sender);`,
  ),
  control(
    [19],
    IDENTITY,
    "look-ups are counted",
    "convex/shared/limits.ts",
    "RECIPIENT_LOOKUPS_PER_MINUTE_MAX = 10;",
    "RECIPIENT_LOOKUPS_PER_MINUTE_MAX = 10_000;",
  ),
  control(
    [20, 22],
    WIRE,
    "a card is its owner's",
    "convex/model/cards.ts",
    "if (card === null || card.userId !== ctx.user._id)",
    "if (card === null)",
  ),
  control(
    [21],
    WIRE,
    "a receipt is its payer's",
    "convex/model/transferExecution.ts",
    "if (transfer === null || transfer.userId !== userId) return null;",
    "if (transfer === null) return null;",
  ),
  {
    attacks: [23, 32],
    tests: `${EVERY} ${WIRE}`,
    name: "arguments have no extra fields",
    edits: [
      {
        file: "convex/functions.ts",
        from: "return Object.assign(rawBuilder({ args, returns, handler: guarded }), { _guard: guard });",
        to: `const built = rawBuilder({ args, returns, handler: guarded });\n    return Object.assign(built, { _guard: guard, exportArgs: () => '{"type":"any"}' });`,
      },
    ],
  },
  control(
    [24],
    IDENTITY,
    "who signs up is an applicant",
    "convex/model/registrations.ts",
    `role: "pending", status: "pending" } as const;`,
    `role: "user", status: "approved" } as const;`,
  ),
  control(
    [25],
    MONEY,
    "what an amount is",
    "convex/shared/rules/amount.ts",
    "amount >= AMOUNT_MIN_CENTS && amount <= AMOUNT_MAX_CENTS",
    "amount >= -AMOUNT_MAX_CENTS",
  ),
  {
    attacks: [26],
    tests: RACES,
    name: "funds are judged in the same transaction",
    edits: [
      {
        file: "convex/shared/rules/amount.ts",
        from: `typeof amountCents === "bigint" && amountCents > availableCents`,
        to: "amountCents === availableCents + 10n ** 15n",
      },
      {
        file: "convex/model/ledgerEffects.ts",
        from: "if (isOverdrawnBy(account, deltaCents)) throw appError(overdrawn);",
        to: "",
      },
    ],
  },
  control(
    [27],
    RACES,
    "allowed transfers are counted",
    "convex/model/transferGate.ts",
    "if (user.isProtected === true) return;",
    "if (user._id) return;",
  ),
  control(
    [28],
    MONEY,
    "an outcome is remembered",
    "convex/model/requests.ts",
    "if (earlier === null) return null;",
    "if (earlier?._id !== undefined || earlier === null) return null;",
  ),
  {
    attacks: [29],
    tests: WIRE,
    name: "a resent request is one person's",
    edits: [
      {
        file: "embedded/runtime/sessionRequests.ts",
        from: `      ["fingerprint", fingerprint],\n    ] as const;`,
        to: "    ] as const;",
      },
    ],
  },
  control(
    [30],
    WIRE,
    "one spelling of an e-mail",
    "convex/shared/email.ts",
    `return visible.toLowerCase().normalize("NFKC").trim();`,
    'return visible === "" ? visible : text.trim().toLowerCase();',
  ),
  control(
    [31],
    `${TIME} ${WIRE}`,
    "a waiting transfer lapses",
    "convex/model/externalTransfers.ts",
    `if (!isOpen(pending, nowMs)) throw appError("STEP_EXPIRED");`,
    "",
  ),
  control(
    [33],
    MONEY,
    "nobody judges themselves",
    "convex/model/standing.ts",
    `if (user._id === personId) throw appError("OWN_ACCOUNT_FORBIDDEN");`,
    "",
  ),
  control(
    [34],
    MONEY,
    "the protected account's count",
    "convex/model/transferCounts.ts",
    `if (member.isProtected === true) throw appError("CANNOT_RESET_PROTECTED", { email });`,
    "",
  ),
  control(
    [35],
    MONEY,
    "formulas are texts",
    "convex/shared/csvText.ts",
    `text.replace(FORMULA_STARTS, "$1'")`,
    "text",
  ),
  control(
    [36],
    BROWSER,
    "text is drawn as text",
    "src/components/bank/TxRow.tsx",
    '<p className="font-semibold">{tx.description}</p>',
    "<p dangerouslySetInnerHTML={{ __html: tx.description }} />",
  ),
  control(
    [37],
    EDGES,
    "announced sizes are believed",
    "embedded/server/bodyRoom.ts",
    "if (declared > maxBytes) throw tooLarge(maxBytes);",
    "",
  ),
  control(
    [38],
    WIRE,
    "nesting is bounded",
    "embedded/runtime/safeJson.ts",
    "const DEPTH_MAX = 72;",
    "const DEPTH_MAX = 1e9;",
  ),
  {
    attacks: [39],
    tests: WIRE,
    // Rejected when parsed, when decoded, and as an unexpected field.
    name: "no prototypes in JSON",
    edits: [
      {
        file: "convex/functions.ts",
        from: "return Object.assign(rawBuilder({ args, returns, handler: guarded }), { _guard: guard });",
        to: `const built = rawBuilder({ args, returns, handler: guarded });\n    return Object.assign(built, { _guard: guard, exportArgs: () => '{"type":"any"}' });`,
      },
      {
        file: "embedded/runtime/safeJson.ts",
        from: `if (key === "__proto__") throw new UnsafeJsonError("The key __proto__ is not allowed");`,
        to: "",
      },
      {
        file: "embedded/db/values.ts",
        from: `    if (name === "__proto__") throw new Error("Field name __proto__ is reserved.");`,
        to: "",
      },
      {
        file: "embedded/db/values.ts",
        from: `\n  if (name === "__proto__") throw new Error("Field name __proto__ is reserved.");`,
        to: "",
      },
    ],
  },
  control(
    [40],
    EDGES,
    "pictures have a usable size",
    "convex/depositImageRoutes.ts",
    'if (!hasUsableSize(image)) return refusal(415, "IMAGE_UNUSABLE_SIZE");',
    "",
  ),
  control(
    [41],
    EDGES,
    "a picture is its owner's",
    "convex/model/depositImages.ts",
    "if (image.userId !== userId && !isAdmin(user)) return null;",
    "",
  ),
  control(
    [42],
    IDENTITY,
    "signing in again ends the session before",
    "convex/model/sessions.ts",
    "if (subject !== null) await endSession(ctx, subject.sessionId);",
    "",
  ),
  control(
    [43],
    TIME,
    "a copied refresh token ends the session",
    "convex/auth.ts",
    "await ctx.runMutation(internal.authSteps.revokeCopied, { refreshToken });",
    "",
  ),
  control(
    [44, 45],
    IDENTITY,
    "refresh tokens are checked before the library sees them",
    "convex/auth.ts",
    "if (!mayRefresh) return { tokens: null };",
    "",
  ),
  control(
    [43],
    TIME,
    "too many refresh tokens end the session",
    "convex/model/refreshTokens.ts",
    "if (isFree) return true;",
    "return true;",
  ),
  control(
    [46],
    EDGES,
    "headers on every answer",
    "embedded/server/server.ts",
    "for (const [name, value] of Object.entries(this.headers)) response.setHeader(name, value);",
    "",
  ),
  control(
    [47],
    WIRE,
    "hosts and origins",
    SERVER_ACCESS,
    "if (policy.allowedOrigins === null) return true;",
    "if (policy.allowedHosts) return true;",
  ),
  {
    attacks: [48],
    tests: WIRE,
    name: "no leave for other origins",
    edits: [
      {
        file: SERVER_ACCESS,
        from: "if (policy.allowedOrigins === null) return true;",
        to: "if (policy.allowedHosts) return true;",
      },
    ],
  },
  control(
    [49],
    EDGES,
    "an unreadable token is none",
    "convex/functions.ts",
    `if (!isTokenReadable) return refusalResponse(appError("NOT_SIGNED_IN"));`,
    "",
  ),
  control(
    [50],
    BROWSER,
    "codes in addresses mean nothing",
    "src/app/BackendFrame.tsx",
    "shouldHandleCode={false}",
    "shouldHandleCode",
  ),
  control(
    [51],
    BROWSER,
    "no secret in the client",
    "src/lib/loadPart.ts",
    `const RELOAD_KEY = "reloadedAtMs";`,
    `const RELOAD_KEY = "204816";`,
  ),
  control(
    [52],
    EVERY,
    "answers show no session",
    "convex/viewer.ts",
    "name: displayName(user),",
    "name: session.sessionId,",
  ),
  control(
    [53],
    EVERY,
    "numbers are masked",
    "convex/model/billPayments.ts",
    "accountNumber: maskNumber(payment.accountNumber),",
    "accountNumber: maskNumber ? payment.accountNumber : String(),",
  ),
  control(
    [54],
    WIRE,
    "sign-in takes what it knows",
    "convex/auth.ts",
    "verifier: v.optional(v.string()),",
    "verifier: v.optional(v.string()),\n    calledBy: v.optional(v.string()),",
  ),
  control(
    [55],
    WIRE,
    "failures are redacted",
    "embedded/runtime/errors.ts",
    "if (isRedacting && !failure.isPublic) return head;",
    "",
  ),
  control(
    [56],
    WIRE,
    "only the proxy says who calls",
    SERVER_ACCESS,
    "if (policy.trustedProxy === null) return false;",
    "if (policy.trustedProxy === null) return true;",
  ),
  control(
    [57],
    WIRE,
    "internal functions are ours",
    "embedded/server/calls.ts",
    `mayCallInternal: identity.kind === "admin",`,
    "mayCallInternal: identity.kind !== undefined,",
  ),
  control(
    [58],
    TIME,
    "a payment's member is judged again",
    "convex/model/billSettlement.ts",
    `if (!isApproved(user) || user.disabledAt !== undefined) return TEXTS.membershipInactive;`,
    "",
  ),
  control(
    [59],
    STORE,
    "few hashes at once",
    "convex/shared/limits.ts",
    "HASHES_AT_ONCE_MAX = 2;",
    "HASHES_AT_ONCE_MAX = 1_000;",
  ),
  control(
    [59],
    STORE,
    "whoever has most calls waiting makes room",
    "convex/model/hashQueue.ts",
    "const isWorthIt = longestOf !== sender && own + 1 < longest.length;",
    "const isWorthIt = longestOf !== sender && own + 1 < 0;",
  ),
  control(
    [60],
    STORE,
    "codes are sealed",
    OTP_CODES,
    "enc: await seal(otpEncryptionKey(), code),",
    "enc: seal ? code : String(),",
  ),
  control(
    [61],
    STORE,
    "comparisons go to the end",
    "convex/model/crypto.ts",
    "for (let at = 0; at < left.length; at++) {\n    difference |=",
    "for (let at = 0; at < left.length && difference === 0; at++) {\n    difference |=",
  ),
  control(
    [62],
    TIME,
    "idle sessions end at the guard",
    ACCESS,
    "if ((await endsAt(ctx, caller.user, caller.session)) <= nowMs)",
    "if (endsAt && caller.session.expiresAt <= nowMs)",
  ),
  control(
    [62],
    BROWSER,
    "tabs of a session tell each other",
    "src/features/session/useIdle.ts",
    `channel.current?.send("active");`,
    "",
  ),
  control(
    ["the server does not start with a public function without a guard"],
    `${ATTACKS}/startup.test.ts`,
    "unguarded functions are not served",
    "embedded/main.ts",
    "if (unmarked.length > 0) {",
    "if (unmarked.length < 0) {",
  ),
  control(
    ["no text argument takes seconds to process"],
    `${ATTACKS}/longTexts.test.ts`,
    "long texts are not normalized",
    "convex/shared/email.ts",
    "if (text.length > NORMALISED_LENGTH_MAX) return text;",
    "if (text.length < 0) return text.slice(0, NORMALISED_LENGTH_MAX);",
  ),
  control(
    ["TH37 the server keeps few query arguments for a visitor, and up to one frame for a member"],
    `${ATTACKS}/keptQueries.test.ts`,
    "a stranger's queries are bounded",
    "embedded/sync/session.ts",
    "const UNIDENTIFIED_QUERY_CHARS_MAX = 65_536;",
    "const UNIDENTIFIED_QUERY_CHARS_MAX = 1e9;",
  ),
];

const MATRIX = "tests/conformance/access.test.ts";
const matrix = (name, file, from, to, mustFail, more = []) => ({
  attacks: ["matrix"],
  tests: MATRIX,
  name,
  edits: [{ file, from, to }, ...more],
  mustFail,
});
/**
 * Also removes the second check of administrators' writes, which would still refuse without the builder's
 * guard.
 */
const judgedAgain = (file, from) => ({ file, from, to: `${from.split(" = ")[0]} = ctx as never;` });

/**
 * Removes guards, one builder and one check at a time: the access matrix must fail for every function that
 * the guard protects. `mustFail` selects those by kind and guard.
 */
export const GUARD_MUTANTS = [
  matrix(
    "queries without their guard",
    "convex/functions.ts",
    "(ctx: QueryCtx) => REQUIRE[guard](ctx));",
    "async (ctx: QueryCtx) => ({ ...ctx }));",
    ({ kind, guard }) => kind === "query" && guard !== "public",
  ),
  matrix(
    "mutations without their guard",
    "convex/functions.ts",
    "refuseExpired(ctx, await REQUIRE[guard](ctx), Date.now()),",
    "({ ...ctx }),",
    ({ kind, guard }) => kind === "mutation" && guard !== "public",
  ),
  matrix(
    "actions without their guard",
    "convex/functions.ts",
    "ctx.runQuery(checkCaller, { guard, nowMs: Date.now() }),",
    "Promise.resolve({ ...ctx }),",
    ({ kind, guard }) => kind === "action" && guard !== "public",
    [
      judgedAgain(
        "convex/admin/otpCodes.ts",
        "const { user } = await refuseExpired(ctx, await requireAdmin(ctx), Date.now());",
      ),
      judgedAgain(
        "convex/admin/users.ts",
        "const caller = await refuseExpired(ctx, await requireAdmin(ctx), Date.now());",
      ),
    ],
  ),
  matrix(
    "the session is another's",
    ACCESS,
    "if (session === null || session.userId !== subject.userId) return null;",
    "if (session === null) return null;",
    ({ guard }) => guard !== "public",
  ),
  matrix(
    "the standing is not read",
    ACCESS,
    `if (!isApproved(caller.user)) throw appError("NOT_APPROVED");`,
    "",
    ({ guard }) => ["passwordChange", "member", "admin"].includes(guard),
  ),
  matrix(
    "the second step is skipped",
    ACCESS,
    `if (caller.session.factor === null) throw appError("OTP_REQUIRED");`,
    "",
    ({ guard }) => ["passwordChange", "member", "admin"].includes(guard),
  ),
  matrix(
    "anybody changes a password without a code",
    ACCESS,
    "return isDueBeforeCode(caller.user) ? caller : passedSecondFactor(caller);",
    "return caller;",
    ({ guard }) => guard === "passwordChange",
  ),
  matrix(
    "the role is not read",
    ACCESS,
    `if (!isAdmin(caller.user)) throw appError("NOT_ADMIN");`,
    "",
    ({ guard }) => guard === "admin",
  ),
];
