/* eslint-disable */
/**
 * Generated `api` utility.
 *
 * THIS CODE IS AUTOMATICALLY GENERATED.
 *
 * To regenerate, run `npx convex dev`.
 * @module
 */

import type {
  ApiFromModules,
  FilterApi,
  FunctionReference,
} from "convex/server";
import type * as accounts from "../accounts.js";
import type * as admin_accounts from "../admin/accounts.js";
import type * as admin_deposits from "../admin/deposits.js";
import type * as admin_health from "../admin/health.js";
import type * as admin_transactions from "../admin/transactions.js";
import type * as admin_transferCounts from "../admin/transferCounts.js";
import type * as billPayments from "../billPayments.js";
import type * as cards from "../cards.js";
import type * as command from "../command.js";
import type * as functions from "../functions.js";
import type * as mobileDeposits from "../mobileDeposits.js";
import type * as model_access from "../model/access.js";
import type * as model_audit from "../model/audit.js";
import type * as model_crypto from "../model/crypto.js";
import type * as model_env from "../model/env.js";
import type * as model_limits from "../model/limits.js";
import type * as model_notify from "../model/notify.js";
import type * as model_otp from "../model/otp.js";
import type * as model_policies from "../model/policies.js";
import type * as model_securityEvents from "../model/securityEvents.js";
import type * as model_sessions from "../model/sessions.js";
import type * as model_users from "../model/users.js";
import type * as shared_accountNumbers from "../shared/accountNumbers.js";
import type * as shared_answers from "../shared/answers.js";
import type * as shared_banks from "../shared/banks.js";
import type * as shared_countries from "../shared/countries.js";
import type * as shared_csv from "../shared/csv.js";
import type * as shared_csvCells from "../shared/csvCells.js";
import type * as shared_currencies from "../shared/currencies.js";
import type * as shared_dates from "../shared/dates.js";
import type * as shared_email from "../shared/email.js";
import type * as shared_errors from "../shared/errors.js";
import type * as shared_institution from "../shared/institution.js";
import type * as shared_limits from "../shared/limits.js";
import type * as shared_money from "../shared/money.js";
import type * as shared_names from "../shared/names.js";
import type * as shared_plainText from "../shared/plainText.js";
import type * as shared_policies from "../shared/policies.js";
import type * as shared_roles from "../shared/roles.js";
import type * as shared_rules_accountEdit from "../shared/rules/accountEdit.js";
import type * as shared_rules_amount from "../shared/rules/amount.js";
import type * as shared_rules_billPayment from "../shared/rules/billPayment.js";
import type * as shared_rules_externalTransfer from "../shared/rules/externalTransfer.js";
import type * as shared_rules_internalTransfer from "../shared/rules/internalTransfer.js";
import type * as shared_rules_internationalTransfer from "../shared/rules/internationalTransfer.js";
import type * as shared_rules_mobileDeposit from "../shared/rules/mobileDeposit.js";
import type * as shared_rules_otpCode from "../shared/rules/otpCode.js";
import type * as shared_rules_rule from "../shared/rules/rule.js";
import type * as shared_rules_transactionRow from "../shared/rules/transactionRow.js";
import type * as shared_rules_userTransfer from "../shared/rules/userTransfer.js";
import type * as shared_texts from "../shared/texts.js";
import type * as shared_transferCount from "../shared/transferCount.js";
import type * as shared_validators from "../shared/validators.js";
import type * as statements from "../statements.js";
import type * as transactions from "../transactions.js";
import type * as transfers from "../transfers.js";

/**
 * A utility for referencing Convex functions in your app's API.
 *
 * Usage:
 * ```js
 * const myFunctionReference = api.myModule.myFunction;
 * ```
 */
declare const fullApi: ApiFromModules<{
  accounts: typeof accounts;
  "admin/accounts": typeof admin_accounts;
  "admin/deposits": typeof admin_deposits;
  "admin/health": typeof admin_health;
  "admin/transactions": typeof admin_transactions;
  "admin/transferCounts": typeof admin_transferCounts;
  billPayments: typeof billPayments;
  cards: typeof cards;
  command: typeof command;
  functions: typeof functions;
  mobileDeposits: typeof mobileDeposits;
  "model/access": typeof model_access;
  "model/audit": typeof model_audit;
  "model/crypto": typeof model_crypto;
  "model/env": typeof model_env;
  "model/limits": typeof model_limits;
  "model/notify": typeof model_notify;
  "model/otp": typeof model_otp;
  "model/policies": typeof model_policies;
  "model/securityEvents": typeof model_securityEvents;
  "model/sessions": typeof model_sessions;
  "model/users": typeof model_users;
  "shared/accountNumbers": typeof shared_accountNumbers;
  "shared/answers": typeof shared_answers;
  "shared/banks": typeof shared_banks;
  "shared/countries": typeof shared_countries;
  "shared/csv": typeof shared_csv;
  "shared/csvCells": typeof shared_csvCells;
  "shared/currencies": typeof shared_currencies;
  "shared/dates": typeof shared_dates;
  "shared/email": typeof shared_email;
  "shared/errors": typeof shared_errors;
  "shared/institution": typeof shared_institution;
  "shared/limits": typeof shared_limits;
  "shared/money": typeof shared_money;
  "shared/names": typeof shared_names;
  "shared/plainText": typeof shared_plainText;
  "shared/policies": typeof shared_policies;
  "shared/roles": typeof shared_roles;
  "shared/rules/accountEdit": typeof shared_rules_accountEdit;
  "shared/rules/amount": typeof shared_rules_amount;
  "shared/rules/billPayment": typeof shared_rules_billPayment;
  "shared/rules/externalTransfer": typeof shared_rules_externalTransfer;
  "shared/rules/internalTransfer": typeof shared_rules_internalTransfer;
  "shared/rules/internationalTransfer": typeof shared_rules_internationalTransfer;
  "shared/rules/mobileDeposit": typeof shared_rules_mobileDeposit;
  "shared/rules/otpCode": typeof shared_rules_otpCode;
  "shared/rules/rule": typeof shared_rules_rule;
  "shared/rules/transactionRow": typeof shared_rules_transactionRow;
  "shared/rules/userTransfer": typeof shared_rules_userTransfer;
  "shared/texts": typeof shared_texts;
  "shared/transferCount": typeof shared_transferCount;
  "shared/validators": typeof shared_validators;
  statements: typeof statements;
  transactions: typeof transactions;
  transfers: typeof transfers;
}>;
export declare const api: FilterApi<
  typeof fullApi,
  FunctionReference<any, "public">
>;
export declare const internal: FilterApi<
  typeof fullApi,
  FunctionReference<any, "internal">
>;
