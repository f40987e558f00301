/**
 * Every number of spec section 9 and every security limit, with its unit in its name.
 *
 * Not here: values an admin may switch (shared/policies).
 */
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// --- Money (spec section 9; the upper bound is ours, architecture 2.4) ---------------------------
export const AMOUNT_MIN_CENTS = 1n;
export const AMOUNT_MAX_CENTS = 1_000_000_000_000n;
export const MOBILE_DEPOSIT_MAX_CENTS = 1_000_000n;

// --- Transfers -----------------------------------------------------------------------------------
/** The third transfer is refused; the policy `transferCountLimit` holds the value in force. */
export const TRANSFERS_ALLOWED_MAX = 2;
export const EXTERNAL_ACCOUNT_NUMBER_DIGITS_MIN = 8;
export const EXTERNAL_ACCOUNT_NUMBER_DIGITS_MAX = 17;
export const SWIFT_LENGTH_MIN = 8;
export const SWIFT_LENGTH_MAX = 11;
export const INTERNATIONAL_ACCOUNT_NUMBER_LENGTH_MIN = 8;
export const INTERNATIONAL_ACCOUNT_NUMBER_LENGTH_MAX = 34;
export const PENDING_TRANSFER_LIFE_MS = 5 * MINUTE_MS;
export const PENDING_TRANSFERS_PER_PERSON_MAX = 5;
export const RECIPIENT_LOOKUPS_PER_MINUTE_MAX = 10;
export const RECIPIENT_LOOKUPS_PER_DAY_MAX = 60;
/** Look-ups of people by an administrator. */
export const LOOKUPS_PER_ADMIN_PER_MINUTE_MAX = 120;
export const EXTERNAL_SUCCESS_MS = 3 * SECOND_MS;

// --- Bills ---------------------------------------------------------------------------------------
/** One person's payments waiting for their date: as many as one list shows. */
export const PAYMENTS_WAITING_MAX = 100;

// --- Deposits ------------------------------------------------------------------------------------
/** One person's deposits awaiting review: their pictures are kept until somebody has looked. */
export const DEPOSITS_WAITING_MAX = 50;

// --- Transactions entered by administrators -------------------------------------------------------
/** Rows added together, by hand or from one file. */
export const ROWS_PER_BATCH_MAX = 500;

// --- Accounts ------------------------------------------------------------------------------------
export const ADMIN_ACCOUNT_NUMBER_DIGITS = 10;
export const NEW_ACCOUNT_NUMBER_DIGITS = 8;
export const ROUTING_NUMBER_DIGITS = 9;
export const COPY_CONFIRMATION_MS = 2 * SECOND_MS;

// --- One-time codes ------------------------------------------------------------------------------
export const OTP_DIGITS = 6;
export const OTP_CODES_INITIAL = 20;
export const OTP_CODES_MAX = 50;
/** Codes a person has left, under the policy of one use, when they are told to ask for new ones. */
export const OTP_CODES_LEFT_FEW = 3;
/** Wrong codes in one session before it is deleted. */
export const OTP_WRONG_PER_SESSION_MAX = 5;
/** Wrong codes in a row per person, over all sessions: first a wait, then disabled. */
export const OTP_WRONG_IN_ROW_LOCK = 10;
export const OTP_WRONG_IN_ROW_DISABLE = 20;
export const OTP_LOCK_MS = 15 * MINUTE_MS;

// --- What one person leaves behind ----------------------------------------------------------------
/**
 * One person's own changes that leave permanent entries (payments scheduled, transfers to US banks begun, details,
 * cards unlocked).
 */
export const OWN_CHANGES_PER_PERSON_PER_HOUR_MAX = 300;

// --- Passwords and sign-in -----------------------------------------------------------------------
/** Spec section 9; the policy `passwordMinLength` holds the value in force. */
export const PASSWORD_LENGTH_MIN = 6;
export const PASSWORD_LENGTH_MAX = 256;
export const PASSWORD_HASH_ITERATIONS = 600_000;
/** Wrong passwords in a row per account: then a growing wait, later disabled. */
export const PASSWORD_WRONG_IN_ROW_LOCK = 10;
export const PASSWORD_WRONG_IN_ROW_DISABLE = 100;
export const PASSWORD_LOCK_MIN_MS = MINUTE_MS;
export const PASSWORD_LOCK_MAX_MS = HOUR_MS;
export const SIGN_INS_PER_ADDRESS_PER_MINUTE_MAX = 30;
export const SIGN_INS_PER_ADDRESS_PER_HOUR_MAX = 300;
export const SIGN_UPS_PER_ADDRESS_PER_HOUR_MAX = 5;
export const SIGN_UPS_PER_EMAIL_PER_DAY_MAX = 3;
/** Shares that all networks of 64 bits within one of 48 have together, in each limit by address. */
export const WIDER_NETWORK_SHARES = 16;
/** With DEMO=1 everyone shares one address: limits by address are this many times wider. */
export const DEMO_ADDRESS_LIMIT_FACTOR = 100;
/** Password hashes computed at once, and waiting, in one server process. */
export const HASHES_AT_ONCE_MAX = 2;
export const HASHES_WAITING_MAX = 64;

// --- Sessions ------------------------------------------------------------------------------------
export const JWT_LIFE_MS = 10 * MINUTE_MS;
export const SESSIONS_PER_PERSON_MAX = 5;
/** New tokens for one session: its page asks for one every ten minutes, and each time it loads. */
export const REFRESHES_PER_SESSION_PER_HOUR_MAX = 240;
/** From the password to the code. */
export const CODE_STEP_LIFE_MS = 15 * MINUTE_MS;
export const MEMBER_SESSION_LIFE_MS = 12 * HOUR_MS;
export const ADMIN_SESSION_LIFE_MS = 8 * HOUR_MS;
export const SESSION_TOUCH_INTERVAL_MS = MINUTE_MS;
export const IDLE_WARNING_MS = 2 * MINUTE_MS;

// --- Texts people enter --------------------------------------------------------------------------
export const NAME_LENGTH_MAX = 100;
export const EMAIL_LENGTH_MAX = 254;
export const PHONE_LENGTH_MAX = 30;
export const ADDRESS_LINE_LENGTH_MAX = 120;
export const SHORT_TEXT_LENGTH_MAX = 200;
export const LONG_TEXT_LENGTH_MAX = 4_000;
export const REQUEST_KEY_LENGTH_MAX = 100;

// --- Contact form --------------------------------------------------------------------------------
export const CONTACTS_PER_ADDRESS_PER_HOUR_MAX = 10;
export const CONTACTS_PER_EMAIL_PER_DAY_MAX = 5;

// --- Lists and statements ------------------------------------------------------------------------
export const RECENT_TRANSACTIONS_MAX = 20;
export const NOTIFICATIONS_SHOWN_MAX = 20;
/** Unread notifications are counted up to here; at this count there may be more. */
export const UNREAD_COUNTED_MAX = 100;
export const SECURITY_EVENTS_SHOWN_MAX = 20;
export const PAGE_ROWS_MAX = 100;
/** What the health page counts up to; a queue this long shows a plus. */
export const QUEUE_COUNTED_MAX = 1_000;
export const STATEMENT_PERIODS_MAX = 13;
/** Statements one person may have sent by e-mail. */
export const STATEMENT_MAILS_PER_HOUR_MAX = 60;
export const STATEMENT_DELAY_MS = 1_500;
export const ADMIN_SUCCESS_MS = 3 * SECOND_MS;

// --- Cards (spec section 9) ----------------------------------------------------------------------
export const CREDIT_CARD_LIMIT_CENTS = 500_000n;
export const CREDIT_CARD_AVAILABLE_CENTS = 350_000n;
export const CREDIT_CARD_REWARDS_POINTS = 2_500;

// --- Outbox --------------------------------------------------------------------------------------
/** With the waits below, some twenty hours: a provider may be away for most of a day. */
export const OUTBOX_ATTEMPTS_MAX = 12;
export const OUTBOX_RETRY_MIN_MS = MINUTE_MS;
export const OUTBOX_RETRY_MAX_MS = 6 * HOUR_MS;
export const OUTBOX_BATCH_MAX = 20;
export const OUTBOX_TIMEOUT_MS = 10 * SECOND_MS;

// --- Public pages --------------------------------------------------------------------------------
export const SCROLL_TO_TOP_PX = 300;
export const NAVIGATION_RESTYLE_PX = 10;
export const COUNTER_TICK_MS = 20;
export const ABOUT_COUNTERS = {
  members: 100_000,
  assetsMillionUsd: 2_500,
  satisfactionPercent: 98,
  branches: 25,
  communityImpactMillionUsd: 5,
} as const;

/** Marketing figures of spec section 9. */
export const RATES = {
  savingsApy: "3.50% APY",
  mortgagesApr: "3.99% APR",
  personalLoansApr: "5.99% APR",
  businessLoansApr: "4.99% APR",
  businessSavingsApy: "2.50% APY",
  creditCardApr: "0% APR for 15 months",
  creditCardCashBack: "2% cash back",
  businessCheckingTransactions: "500 free transactions",
} as const;

export const MS = { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } as const;
