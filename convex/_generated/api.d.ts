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
import type * as admin_audit from "../admin/audit.js";
import type * as admin_deposits from "../admin/deposits.js";
import type * as admin_health from "../admin/health.js";
import type * as admin_inbox from "../admin/inbox.js";
import type * as admin_otpCodes from "../admin/otpCodes.js";
import type * as admin_outbox from "../admin/outbox.js";
import type * as admin_policies from "../admin/policies.js";
import type * as admin_registrations from "../admin/registrations.js";
import type * as admin_restrictions from "../admin/restrictions.js";
import type * as admin_transactions from "../admin/transactions.js";
import type * as admin_transferCounts from "../admin/transferCounts.js";
import type * as admin_users from "../admin/users.js";
import type * as auth from "../auth.js";
import type * as authSteps from "../authSteps.js";
import type * as billPayments from "../billPayments.js";
import type * as cards from "../cards.js";
import type * as command from "../command.js";
import type * as contact from "../contact.js";
import type * as crons from "../crons.js";
import type * as depositImageRoutes from "../depositImageRoutes.js";
import type * as dev_seed from "../dev/seed.js";
import type * as functions from "../functions.js";
import type * as http from "../http.js";
import type * as mobileDeposits from "../mobileDeposits.js";
import type * as model_access from "../model/access.js";
import type * as model_accountEdits from "../model/accountEdits.js";
import type * as model_accounts from "../model/accounts.js";
import type * as model_activity from "../model/activity.js";
import type * as model_adminPostings from "../model/adminPostings.js";
import type * as model_adminUsers from "../model/adminUsers.js";
import type * as model_audit from "../model/audit.js";
import type * as model_billPayments from "../model/billPayments.js";
import type * as model_cards from "../model/cards.js";
import type * as model_contactMessages from "../model/contactMessages.js";
import type * as model_crypto from "../model/crypto.js";
import type * as model_demoData from "../model/demoData.js";
import type * as model_demoHistory from "../model/demoHistory.js";
import type * as model_demoPeople from "../model/demoPeople.js";
import type * as model_depositImages from "../model/depositImages.js";
import type * as model_depositReview from "../model/depositReview.js";
import type * as model_env from "../model/env.js";
import type * as model_externalTransfers from "../model/externalTransfers.js";
import type * as model_hashQueue from "../model/hashQueue.js";
import type * as model_health from "../model/health.js";
import type * as model_history from "../model/history.js";
import type * as model_jobs from "../model/jobs.js";
import type * as model_judge from "../model/judge.js";
import type * as model_ledger from "../model/ledger.js";
import type * as model_ledgerCheck from "../model/ledgerCheck.js";
import type * as model_ledgerCheckPages from "../model/ledgerCheckPages.js";
import type * as model_ledgerCheckRun from "../model/ledgerCheckRun.js";
import type * as model_ledgerEffects from "../model/ledgerEffects.js";
import type * as model_ledgerRemoval from "../model/ledgerRemoval.js";
import type * as model_ledgerWrites from "../model/ledgerWrites.js";
import type * as model_limits from "../model/limits.js";
import type * as model_loadData from "../model/loadData.js";
import type * as model_messages from "../model/messages.js";
import type * as model_mobileDeposits from "../model/mobileDeposits.js";
import type * as model_monthEntries from "../model/monthEntries.js";
import type * as model_notifications from "../model/notifications.js";
import type * as model_notify from "../model/notify.js";
import type * as model_otp from "../model/otp.js";
import type * as model_outbox from "../model/outbox.js";
import type * as model_passwordAttempts from "../model/passwordAttempts.js";
import type * as model_policies from "../model/policies.js";
import type * as model_profiles from "../model/profiles.js";
import type * as model_recipients from "../model/recipients.js";
import type * as model_registrations from "../model/registrations.js";
import type * as model_removals from "../model/removals.js";
import type * as model_requests from "../model/requests.js";
import type * as model_restrictions from "../model/restrictions.js";
import type * as model_securityEvents from "../model/securityEvents.js";
import type * as model_sessions from "../model/sessions.js";
import type * as model_statements from "../model/statements.js";
import type * as model_transferCounts from "../model/transferCounts.js";
import type * as model_transferExecution from "../model/transferExecution.js";
import type * as model_transferGate from "../model/transferGate.js";
import type * as model_transfers from "../model/transfers.js";
import type * as model_users from "../model/users.js";
import type * as notifications from "../notifications.js";
import type * as otp from "../otp.js";
import type * as outboxJob from "../outboxJob.js";
import type * as profile from "../profile.js";
import type * as registrations from "../registrations.js";
import type * as sessions from "../sessions.js";
import type * as shared_accountNumbers from "../shared/accountNumbers.js";
import type * as shared_answers from "../shared/answers.js";
import type * as shared_banks from "../shared/banks.js";
import type * as shared_commonPasswords from "../shared/commonPasswords.js";
import type * as shared_countries from "../shared/countries.js";
import type * as shared_csv from "../shared/csv.js";
import type * as shared_csvCells from "../shared/csvCells.js";
import type * as shared_currencies from "../shared/currencies.js";
import type * as shared_dates from "../shared/dates.js";
import type * as shared_email from "../shared/email.js";
import type * as shared_errors from "../shared/errors.js";
import type * as shared_imageFiles from "../shared/imageFiles.js";
import type * as shared_institution from "../shared/institution.js";
import type * as shared_ledger from "../shared/ledger.js";
import type * as shared_limits from "../shared/limits.js";
import type * as shared_money from "../shared/money.js";
import type * as shared_names from "../shared/names.js";
import type * as shared_plainText from "../shared/plainText.js";
import type * as shared_policies from "../shared/policies.js";
import type * as shared_roles from "../shared/roles.js";
import type * as shared_rules_accountEdit from "../shared/rules/accountEdit.js";
import type * as shared_rules_amount from "../shared/rules/amount.js";
import type * as shared_rules_billPayment from "../shared/rules/billPayment.js";
import type * as shared_rules_contact from "../shared/rules/contact.js";
import type * as shared_rules_createUser from "../shared/rules/createUser.js";
import type * as shared_rules_externalTransfer from "../shared/rules/externalTransfer.js";
import type * as shared_rules_internalTransfer from "../shared/rules/internalTransfer.js";
import type * as shared_rules_internationalTransfer from "../shared/rules/internationalTransfer.js";
import type * as shared_rules_login from "../shared/rules/login.js";
import type * as shared_rules_mobileDeposit from "../shared/rules/mobileDeposit.js";
import type * as shared_rules_otpCode from "../shared/rules/otpCode.js";
import type * as shared_rules_password from "../shared/rules/password.js";
import type * as shared_rules_profile from "../shared/rules/profile.js";
import type * as shared_rules_registration from "../shared/rules/registration.js";
import type * as shared_rules_rule from "../shared/rules/rule.js";
import type * as shared_rules_signup from "../shared/rules/signup.js";
import type * as shared_rules_transactionRow from "../shared/rules/transactionRow.js";
import type * as shared_rules_userTransfer from "../shared/rules/userTransfer.js";
import type * as shared_texts from "../shared/texts.js";
import type * as shared_transferCount from "../shared/transferCount.js";
import type * as shared_validators from "../shared/validators.js";
import type * as statements from "../statements.js";
import type * as transactions from "../transactions.js";
import type * as transfers from "../transfers.js";
import type * as viewer from "../viewer.js";

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
  "admin/audit": typeof admin_audit;
  "admin/deposits": typeof admin_deposits;
  "admin/health": typeof admin_health;
  "admin/inbox": typeof admin_inbox;
  "admin/otpCodes": typeof admin_otpCodes;
  "admin/outbox": typeof admin_outbox;
  "admin/policies": typeof admin_policies;
  "admin/registrations": typeof admin_registrations;
  "admin/restrictions": typeof admin_restrictions;
  "admin/transactions": typeof admin_transactions;
  "admin/transferCounts": typeof admin_transferCounts;
  "admin/users": typeof admin_users;
  auth: typeof auth;
  authSteps: typeof authSteps;
  billPayments: typeof billPayments;
  cards: typeof cards;
  command: typeof command;
  contact: typeof contact;
  crons: typeof crons;
  depositImageRoutes: typeof depositImageRoutes;
  "dev/seed": typeof dev_seed;
  functions: typeof functions;
  http: typeof http;
  mobileDeposits: typeof mobileDeposits;
  "model/access": typeof model_access;
  "model/accountEdits": typeof model_accountEdits;
  "model/accounts": typeof model_accounts;
  "model/activity": typeof model_activity;
  "model/adminPostings": typeof model_adminPostings;
  "model/adminUsers": typeof model_adminUsers;
  "model/audit": typeof model_audit;
  "model/billPayments": typeof model_billPayments;
  "model/cards": typeof model_cards;
  "model/contactMessages": typeof model_contactMessages;
  "model/crypto": typeof model_crypto;
  "model/demoData": typeof model_demoData;
  "model/demoHistory": typeof model_demoHistory;
  "model/demoPeople": typeof model_demoPeople;
  "model/depositImages": typeof model_depositImages;
  "model/depositReview": typeof model_depositReview;
  "model/env": typeof model_env;
  "model/externalTransfers": typeof model_externalTransfers;
  "model/hashQueue": typeof model_hashQueue;
  "model/health": typeof model_health;
  "model/history": typeof model_history;
  "model/jobs": typeof model_jobs;
  "model/judge": typeof model_judge;
  "model/ledger": typeof model_ledger;
  "model/ledgerCheck": typeof model_ledgerCheck;
  "model/ledgerCheckPages": typeof model_ledgerCheckPages;
  "model/ledgerCheckRun": typeof model_ledgerCheckRun;
  "model/ledgerEffects": typeof model_ledgerEffects;
  "model/ledgerRemoval": typeof model_ledgerRemoval;
  "model/ledgerWrites": typeof model_ledgerWrites;
  "model/limits": typeof model_limits;
  "model/loadData": typeof model_loadData;
  "model/messages": typeof model_messages;
  "model/mobileDeposits": typeof model_mobileDeposits;
  "model/monthEntries": typeof model_monthEntries;
  "model/notifications": typeof model_notifications;
  "model/notify": typeof model_notify;
  "model/otp": typeof model_otp;
  "model/outbox": typeof model_outbox;
  "model/passwordAttempts": typeof model_passwordAttempts;
  "model/policies": typeof model_policies;
  "model/profiles": typeof model_profiles;
  "model/recipients": typeof model_recipients;
  "model/registrations": typeof model_registrations;
  "model/removals": typeof model_removals;
  "model/requests": typeof model_requests;
  "model/restrictions": typeof model_restrictions;
  "model/securityEvents": typeof model_securityEvents;
  "model/sessions": typeof model_sessions;
  "model/statements": typeof model_statements;
  "model/transferCounts": typeof model_transferCounts;
  "model/transferExecution": typeof model_transferExecution;
  "model/transferGate": typeof model_transferGate;
  "model/transfers": typeof model_transfers;
  "model/users": typeof model_users;
  notifications: typeof notifications;
  otp: typeof otp;
  outboxJob: typeof outboxJob;
  profile: typeof profile;
  registrations: typeof registrations;
  sessions: typeof sessions;
  "shared/accountNumbers": typeof shared_accountNumbers;
  "shared/answers": typeof shared_answers;
  "shared/banks": typeof shared_banks;
  "shared/commonPasswords": typeof shared_commonPasswords;
  "shared/countries": typeof shared_countries;
  "shared/csv": typeof shared_csv;
  "shared/csvCells": typeof shared_csvCells;
  "shared/currencies": typeof shared_currencies;
  "shared/dates": typeof shared_dates;
  "shared/email": typeof shared_email;
  "shared/errors": typeof shared_errors;
  "shared/imageFiles": typeof shared_imageFiles;
  "shared/institution": typeof shared_institution;
  "shared/ledger": typeof shared_ledger;
  "shared/limits": typeof shared_limits;
  "shared/money": typeof shared_money;
  "shared/names": typeof shared_names;
  "shared/plainText": typeof shared_plainText;
  "shared/policies": typeof shared_policies;
  "shared/roles": typeof shared_roles;
  "shared/rules/accountEdit": typeof shared_rules_accountEdit;
  "shared/rules/amount": typeof shared_rules_amount;
  "shared/rules/billPayment": typeof shared_rules_billPayment;
  "shared/rules/contact": typeof shared_rules_contact;
  "shared/rules/createUser": typeof shared_rules_createUser;
  "shared/rules/externalTransfer": typeof shared_rules_externalTransfer;
  "shared/rules/internalTransfer": typeof shared_rules_internalTransfer;
  "shared/rules/internationalTransfer": typeof shared_rules_internationalTransfer;
  "shared/rules/login": typeof shared_rules_login;
  "shared/rules/mobileDeposit": typeof shared_rules_mobileDeposit;
  "shared/rules/otpCode": typeof shared_rules_otpCode;
  "shared/rules/password": typeof shared_rules_password;
  "shared/rules/profile": typeof shared_rules_profile;
  "shared/rules/registration": typeof shared_rules_registration;
  "shared/rules/rule": typeof shared_rules_rule;
  "shared/rules/signup": typeof shared_rules_signup;
  "shared/rules/transactionRow": typeof shared_rules_transactionRow;
  "shared/rules/userTransfer": typeof shared_rules_userTransfer;
  "shared/texts": typeof shared_texts;
  "shared/transferCount": typeof shared_transferCount;
  "shared/validators": typeof shared_validators;
  statements: typeof statements;
  transactions: typeof transactions;
  transfers: typeof transfers;
  viewer: typeof viewer;
}>;
export declare const api: FilterApi<
  typeof fullApi,
  FunctionReference<any, "public">
>;
export declare const internal: FilterApi<
  typeof fullApi,
  FunctionReference<any, "internal">
>;
