/** The audit entry that each mutating admin function writes. */
import type { Doc } from "../../convex/_generated/dataModel";
import type { Person } from "./support";

/** Ids (of convex-test, of a backend), random numbers and dates. */
const VARYING =
  /"[a-z0-9]{32}"|[A-Z][a-z]{2} \d{1,2}, \d{4}|"\d{8}"|"0{5,}\w+"|\d{13}|\d{4}-\d{2}-\d{2}|C-\w{8}|"\d{4}"|(?<=ending )\d{4}|"\d{2}\/\d{2}"/g;

/** An entry in the format of `ENTRIES`. */
export function describeEntry(entry: Doc<"auditLog">, member: Person, applicant: Person): string[] {
  const { action, targetLabel, personId, accountId, before, after, reason, requestedBy } = entry;
  const names = new Map<unknown, string>([
    [undefined, "nobody"],
    [member.userId, "the member"],
    [applicant.userId, "the applicant"],
  ]);
  const about = `about ${names.get(personId) ?? "a new person"}`;
  const parts = { before, after, reason, "asked for by": requestedBy };
  return [
    `${action} of ${targetLabel}, ${about}${accountId === undefined ? "" : ", an account"}`,
    ...Object.entries(parts).flatMap(([name, text]) =>
      text === undefined ? [] : `${name} ${text}`,
    ),
  ].map((text) => text.replaceAll(VARYING, "#"));
}

/** By function; `#` stands for varying values. */
export const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  "admin/accounts:update": [
    "account.update of Checking of ada@bank.example, about the member, an account",
    'before {"accountNumber":#,"routingNumber":"021000021","balanceCents":"0","availableCents":"0"}',
    'after {"accountNumber":"4810299317","routingNumber":"021000021","balanceCents":"500","availableCents":"500"}',
  ],
  "admin/cards:setStatus": [
    "card.setStatus of Debit card ending # of ada@bank.example, about the member",
    'before {"status":"Active"}',
    'after {"status":"Locked"}',
    "reason x",
  ],
  "admin/cards:replace": [
    "card.replace of Debit card ending # of ada@bank.example, about the member",
    'before {"lastFour":#,"expiry":#}',
    'after {"lastFour":#,"expiry":#}',
    "reason x",
  ],
  "admin/transactions:addMany": [
    "transactions.add of ada@bank.example, about the member",
    'after {"batchId":#,"count":1,"updateBalance":true,"netCents":"100"}',
  ],
  "admin/transactions:remove": [
    "transactions.remove of ada@bank.example, about the member, an account",
    'before {"transactionId":#,"type":"credit","amountCents":"100","description":"Row","status":"Pending","date":#}',
    'after {"rowsHidden":1,"isReversed":false}',
  ],
  "admin/transactions:removeBatch": [
    "transactions.removeBatch of ada@bank.example, about the member",
    'before {"batchId":#,"count":1}',
    'after {"count":0}',
  ],
  "admin/transactions:removeAllForUser": [
    "transactions.removeAll of ada@bank.example, about the member",
  ],
  "admin/transferCounts:resetOne": [
    "transferCount.reset of ada@bank.example, about the member",
    'before {"count":0}',
    'after {"count":0}',
  ],
  "admin/transferCounts:resetAll": [
    "transferCount.resetAll of Everyone except administrators and the protected account, about nobody",
    'after {"updated":2,"skipped":0,"errored":0,"isComplete":true}',
  ],
  "admin/deposits:approve": [
    "deposit.approve of Deposit of $1.00 by ada@bank.example, about the member",
    'before {"status":"Pending Review"}',
    'after {"status":"Completed"}',
  ],
  "admin/deposits:reject": [
    "deposit.reject of Deposit of $1.00 by ada@bank.example, about the member",
    'before {"status":"Pending Review"}',
    'after {"status":"Failed"}',
    "reason x",
  ],
  "admin/health:runLedgerCheck": ["health.runLedgerCheck of Ledger, about nobody"],
  "admin/registrations:approve": [
    "registration.approve of lena@bank.example, about the applicant",
    'before {"role":"pending","status":"pending"}',
    'after {"role":"user","status":"approved"}',
  ],
  "admin/approvals:request": [
    "approval.request of ada@bank.example, about the member",
    'after {"change":"transactions.removeAll","lines":["Every transaction made before this request: $0.00 in and out together, $0.00 of it still pending","Transfers to and from others are reversed on both sides"]}',
  ],
  "admin/approvals:approve": [
    "transactions.remove of ada@bank.example, about the member, an account",
    'before {"transactionId":#,"type":"credit","amountCents":"100","description":"Row","status":"Pending","date":#}',
    'after {"rowsHidden":1,"isReversed":false}',
    "asked for by asker@bank.example",
  ],
  "admin/approvals:reject": [
    "approval.reject of ada@bank.example, about the member",
    'before {"change":"transactions.remove","lines":["+$1.00 Checking, #, Pending: Row"]}',
    "reason x",
    "asked for by asker@bank.example",
  ],
  "admin/users:findByEmail": [
    "user.findByEmail of ada@bank.example, about the member",
    'after {"isFound":true}',
  ],
  "admin/users:create": [
    "user.create of june@bank.example, about a new person",
    'after {"name":"June","role":"user","status":"active","Checking":{"availableCents":"0","balanceCents":"0"},"Savings":{"availableCents":"0","balanceCents":"0"}}',
  ],
  "admin/users:setRole": [
    "user.setRole of ada@bank.example, about the member",
    'before {"role":"user"}',
    'after {"role":"admin"}',
  ],
  "admin/identity:set": [
    "identity.set of ada@bank.example, about the member",
    'before {"name":"ada","email":"ada@bank.example"}',
    'after {"name":"Ada Abel","email":"ada@mail.example"}',
    "reason x",
  ],
  "admin/statements:open": [
    "statement.open of Checking of ada@bank.example, March 2024, about the member",
  ],
  "admin/locks:lift": [
    "user.unlock of ada@bank.example, about the member",
    'before {"lockedBy":"wrong passwords"}',
    "after null",
    "reason x",
  ],
  "admin/users:resetPassword": [
    "user.resetPassword of ada@bank.example, about the member",
    "reason x",
  ],
  "admin/users:setDisabled": [
    "user.disable of ada@bank.example, about the member",
    'before {"isDisabled":false}',
    'after {"isDisabled":true}',
    "reason x",
  ],
  "admin/registrations:setCheck": [
    "registration.setCheck of lena@bank.example, about the applicant",
    'before {"dobValid":false}',
    'after {"dobValid":true}',
  ],
  "admin/registrations:reject": [
    "registration.reject of lena@bank.example, about the applicant",
    'before {"role":"pending","status":"pending"}',
    'after {"role":"pending","status":"rejected","rejectionReason":"x"}',
    "reason x",
  ],
  "admin/registrations:correct": [
    "registration.correct of lena@bank.example, about the applicant",
    'before {"nationality":"Germany","idCardNumber":"••••0T47"}',
    'after {"nationality":"Austrian","idCardNumber":"••••0T99"}',
    "reason x",
  ],
  "admin/registrations:reopen": [
    "registration.reopen of lena@bank.example, about the applicant",
    'before {"role":"pending","status":"rejected","rejectionReason":"y"}',
    'after {"role":"pending","status":"pending"}',
    "reason x",
  ],
  "admin/registrations:requestInformation": [
    "registration.requestInformation of lena@bank.example, about the applicant",
    'after {"request":"x"}',
  ],
  "admin/otpCodes:list": ["otp.list of one-time codes, about nobody", 'after {"count":1}'],
  "admin/otpCodes:add": ["otp.add of one-time codes, about nobody", 'after {"code":"****22"}'],
  "admin/otpCodes:remove": [
    "otp.remove of one-time codes, about nobody",
    'before {"code":"****11"}',
  ],
  "admin/otpCodes:clearUsed": [
    "otp.clearUsed of one-time codes, about nobody",
    'after {"count":0,"isFinished":true}',
  ],
  "admin/policies:set": [
    "policy.set of passwordMinLength, about nobody",
    'before "6"',
    'after "8"',
  ],
  "admin/policies:applyRecommended": [
    "policy.applyRecommended of all policies, about nobody",
    'before {"transferCountLimit":"2","passwordMinLength":"6","otpReuse":"\\"oncePerSession\\"","statementPeriods":"\\"fixed13Months\\"","adminSetsPassword":"\\"permanent\\"","secondAdminApprovalAbove":"null","idleTimeout":"{\\"memberMinutes\\":null,\\"adminMinutes\\":15}"}',
    'after {"transferCountLimit":"2","passwordMinLength":"8","otpReuse":"\\"oncePerMember\\"","statementPeriods":"\\"everyClosedMonth\\"","adminSetsPassword":"\\"oneTime\\"","secondAdminApprovalAbove":"100000","idleTimeout":"{\\"memberMinutes\\":15,\\"adminMinutes\\":10}"}',
  ],
  "admin/restrictions:set": [
    "restriction.set of ada@bank.example, about the member",
    "before null",
    'after {"reason":"x"}',
    "reason x",
  ],
  "admin/restrictions:lift": [
    "restriction.lift of ada@bank.example, about the member",
    'before {"reason":"x","expiresAt":#}',
    "after null",
  ],
  "admin/outbox:sendAgain": [
    "outbox.sendAgain of ada@bank.example, about the member",
    'before {"status":"failed","attempts":12}',
    'after {"status":"queued","attempts":0,"subject":"Hello"}',
  ],
  "admin/inbox:setHandled": [
    "inbox.setHandled of #, about nobody",
    'before {"isHandled":false}',
    'after {"isHandled":true}',
  ],
};
