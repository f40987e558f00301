/**
 * Recurring work, all of it "whatever is due up to now", so the next run makes up for a missed one.
 *
 * Times are UTC. Never on the hour. Not here: what each job does (its own module).
 */
import { cronJobs } from "convex/server";
import { internal } from "./_generated/api";

const crons = cronJobs();

// Shortly after midnight in the credit union's time zone, summer and winter, and again at noon.
crons.cron("settle due bill payments", "17 5,17 * * *", internal.billPayments.settleDue, {});
crons.cron("check the ledger", "41 7 * * *", internal.admin.health.startLedgerCheck, {});
crons.interval("deliver e-mails", { minutes: 1 }, internal.outboxJob.deliver, {});
crons.interval("end due sessions", { minutes: 1 }, internal.sessions.sessionExpiry, {});
crons.interval("replace masked numbers", { hours: 1 }, internal.accounts.replaceMasked, {});
crons.interval("continue unfinished jobs", { hours: 6 }, internal.admin.health.continueJobs, {});
crons.interval("sweep lapsed transfers", { hours: 6 }, internal.transfers.sweepLapsed, {});
crons.interval("sweep unused images", { hours: 6 }, internal.mobileDeposits.sweepImages, {});
crons.interval("sweep stray files", { hours: 6 }, internal.mobileDeposits.sweepFiles, {});

export default crons;
