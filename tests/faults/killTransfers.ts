/**
 * Kills the server (SIGKILL) while the official client has 32 transfers in flight, restarts it and lets the
 * client reconnect: every acknowledged transfer must exist exactly once, and the ledger check must pass.
 *
 * `node scripts/run.mjs tests/faults/killTransfers.ts [rounds=20]`
 */
import { randomInt, randomUUID } from "node:crypto";
import type { ConvexHttpClient } from "convex/browser";
import { api } from "../../convex/_generated/api";
import { DEMO } from "../e2e/support/people";
import { startServer } from "../e2e/support/server";
import { adminClient, ledgerProblems } from "../support/backOffice";
import { lastingPerson } from "../support/lastingPerson";

const IN_FLIGHT = 32;
const ANSWERS_BEFORE_KILL_MAX = 200;
const HISTORY_PAGE = 200;

const rounds = Number(process.argv[2] ?? 20);
const server = await startServer({ isEmpty: true });

/** References of the member's transfer rows on Checking, newest first, all pages. */
async function references(http: ConvexHttpClient): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  for (;;) {
    const page: { page: { reference?: string }[]; isDone: boolean; continueCursor: string } =
      await http.query(api.transactions.history, {
        accountType: "Checking",
        type: "debit",
        category: "Transfer",
        paginationOpts: { cursor, numItems: HISTORY_PAGE },
      });
    found.push(...page.page.flatMap((row) => row.reference ?? []));
    if (page.isDone) return found;
    cursor = page.continueCursor;
  }
}

let acknowledgedTotal = 0;
let isAllGood = true;
try {
  // The protected account has no count limit, so it can have many transfers in flight.
  const sender = await lastingPerson(server.url, DEMO.vip);
  const client = sender.open();
  const acknowledged = new Set<string>();
  for (let round = 1; round <= rounds; round += 1) {
    // A session without activity expires, even if it sends calls, and many rounds take longer than that.
    await client.mutation(api.sessions.touch, {});
    const beforeRound = acknowledged.size;
    const killAt = beforeRound + randomInt(ANSWERS_BEFORE_KILL_MAX);
    let isKilling = false;
    let started = 0;
    let onKillPoint = (): void => undefined;
    const killPoint = new Promise<void>((resolve) => (onKillPoint = resolve));
    const send = async (): Promise<void> => {
      const reference = `round ${round} transfer ${(started += 1)}`;
      await client.mutation(api.transfers.submit, {
        transferType: "internal",
        fromAccount: "Checking",
        toAccount: "Savings",
        amountCents: 1n,
        reference,
        requestKey: randomUUID(),
      });
      acknowledged.add(reference);
      if (acknowledged.size >= killAt) onKillPoint();
    };
    // Each lane sends its next transfer when the last one is answered, so 32 are always in flight.
    const lanes = Array.from({ length: IN_FLIGHT }, async () => {
      do await send();
      while (!isKilling);
    });
    if (killAt > beforeRound) await killPoint;
    isKilling = true;
    const killed = server.kill();
    const answered = acknowledged.size - beforeRound;
    await killed;
    const inFlight = started - (acknowledged.size - beforeRound);
    await server.restart();
    await Promise.all(lanes);

    const rows = await references(sender.http);
    const counts = new Map<string, number>();
    for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
    const lost = [...acknowledged].filter((reference) => !counts.has(reference));
    const doubled = [...counts].filter(([, count]) => count > 1);
    const isGood = lost.length === 0 && doubled.length === 0 && counts.size === acknowledged.size;
    isAllGood &&= isGood;
    acknowledgedTotal = acknowledged.size;
    console.log(
      `round ${round}: killed after ${answered} answers with ${inFlight} in flight, ` +
        `${acknowledged.size} acknowledged in all, lost ${lost.length}, doubled ${doubled.length}`,
    );
  }

  const problems = await ledgerProblems(await adminClient(server.url));
  console.log(`ledger check: ${problems.join("; ") || "passed"}`);
  isAllGood &&= problems.length === 0;
  await client.close();
} finally {
  await server.stop();
}
console.log(
  `${rounds} rounds, ${acknowledgedTotal} acknowledged transfers: ${isAllGood ? "every one there exactly once" : "FAILED"}`,
);
process.exit(isAllGood ? 0 : 1);
