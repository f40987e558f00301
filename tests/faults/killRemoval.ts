/**
 * Kills the server (SIGKILL) while it deletes all of a member's transactions: after the restart the deletion
 * continues by itself, counts every row once, and ends with the original balance.
 *
 * `node scripts/run.mjs tests/faults/killRemoval.ts [kills=2] [rows=20000]`
 */
import { api } from "../../convex/_generated/api";
import { DEMO_PASSWORD } from "../e2e/support/people";
import { startServer } from "../e2e/support/server";
import {
  addRows,
  adminClient,
  countRows,
  ledgerProblems,
  untilRemoved,
} from "../support/backOffice";

const OPENING = { balanceCents: 12_345n, availableCents: 12_345n };
const MEMBER = {
  name: "Many Rows",
  email: "rows@load.example",
  phone: "1",
  password: DEMO_PASSWORD,
  role: "user" as const,
  street: "1",
  city: "2",
  state: "3",
  zipCode: "4",
  checking: OPENING,
  savings: OPENING,
};

const kills = Number(process.argv[2] ?? 2);
const rows = Number(process.argv[3] ?? 20_000);
const server = await startServer({ isEmpty: true });
let isGood: boolean;

try {
  const admin = await adminClient(server.url);
  const { userId } = await admin.action(api.admin.users.create, MEMBER);
  const checkingCents = async () =>
    (await admin.query(api.admin.users.get, { userId }))?.accounts[0]?.balanceCents;

  const openingCents = await checkingCents();
  await addRows(admin, userId, rows);
  const visible = await countRows(admin, userId);
  console.log(`${visible} rows, Checking ${openingCents} before and ${await checkingCents()} now`);

  const { jobId } = await admin.mutation(api.admin.transactions.removeAllForUser, {
    email: MEMBER.email,
  });
  for (let kill = 1; kill <= kills; kill += 1) {
    const target = Math.floor((visible * kill) / (kills + 1));
    const { deletedCount } = await untilRemoved(admin, jobId, (job) => job.deletedCount >= target);
    await server.kill();
    await server.restart();
    console.log(`killed after ${deletedCount} of ${visible}, started again`);
  }
  const job = await untilRemoved(admin, jobId, ({ isDone }) => isDone);
  const left = await countRows(admin, userId);
  const closingCents = await checkingCents();
  const problems = await ledgerProblems(admin);
  console.log(`deleted ${job.deletedCount}, left ${left}, Checking ${closingCents}`);
  console.log(`ledger check: ${problems.length === 0 ? "passed" : problems.join("; ")}`);
  isGood =
    job.failed === undefined &&
    job.deletedCount === visible &&
    visible === rows &&
    left === 0 &&
    closingCents === openingCents &&
    problems.length === 0;
} finally {
  await server.stop();
}
console.log(
  `${rows} rows, ${kills} kills: ${isGood ? "every row deleted exactly once" : "FAILED"}`,
);
process.exit(isGood ? 0 : 1);
