/**
 * The peer of the benchmarks: Fastify and `pg` (pool of 16, prepared statements) on PostgreSQL, the
 * same transfer as a stored procedure under SERIALIZABLE with retry, as an interactive transaction,
 * or with hand-ordered row locks; balances pushed over WebSocket by LISTEN/NOTIFY.
 *
 * Prints `ready PORT` once it serves.
 */
import Fastify from "fastify";
import { importSPKI, jwtVerify, type CryptoKey } from "jose";
import pg from "pg";
import { WebSocketServer, type WebSocket } from "ws";
import { readPlan } from "./plan";

const POOL_SIZE = 16;
const RETRIES_MAX = 50;
const SERIALIZATION_FAILURES = new Set(["40001", "40P01"]);

export interface PeerPlan {
  readonly socketDir: string;
  readonly database: string;
  readonly publicKeyPem: string;
}

interface TransferBody {
  readonly recipientEmail: string;
  readonly amountCents: number;
  readonly reference: string;
  readonly requestKey: string;
  readonly mode: "procedure" | "interactive" | "locks";
}

const plan = readPlan<PeerPlan>();
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const database = { host: plan.socketDir, user: "bench", database: plan.database };
const pool = new pg.Pool({ ...database, max: POOL_SIZE });

/** Token to person. Verified once per token, like a connection that authenticates once. */
const verified = new Map<string, number>();
const key: CryptoKey = await importSPKI(plan.publicKeyPem, "RS256");

async function personOf(authorization: string | undefined): Promise<number> {
  const token = authorization?.replace(/^Bearer /, "") ?? "";
  const known = verified.get(token);
  if (known !== undefined) return known;
  const { payload } = await jwtVerify(token, key, { audience: "bench" });
  const person = Number(payload.sub);
  verified.set(token, person);
  return person;
}

async function procedure(
  client: pg.PoolClient,
  person: number,
  body: TransferBody,
): Promise<number> {
  const isLocking = body.mode === "locks";
  await client.query(isLocking ? "begin" : "begin isolation level serializable");
  const result = await client.query<{ transfer: number }>({
    name: "transfer",
    text: "select transfer($1, $2, $3, $4, $5, $6)",
    values: [
      person,
      body.recipientEmail,
      body.amountCents,
      body.reference,
      body.requestKey,
      isLocking,
    ],
  });
  await client.query("commit");
  return result.rows[0]?.transfer ?? 0;
}

/** One statement after the other, like an application with an ORM. */
async function interactive(
  client: pg.PoolClient,
  person: number,
  body: TransferBody,
): Promise<number> {
  const run = async <Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Row | undefined> => (await client.query<Row>({ name, text, values })).rows[0];
  const { amountCents, reference } = body;
  await client.query("begin isolation level serializable");
  const claimed = await run<{ transfer_id: number }>(
    "claim",
    "insert into requests values ($1, $2, nextval('transfers_id_seq')) on conflict do nothing returning transfer_id",
    [person, body.requestKey],
  );
  if (!claimed) {
    const seen = await run<{ transfer_id: number }>(
      "seen",
      "select transfer_id from requests where user_id = $1 and request_key = $2",
      [person, body.requestKey],
    );
    await client.query("commit");
    return seen?.transfer_id ?? 0;
  }
  interface Person extends pg.QueryResultRow {
    id: number;
    name: string;
    status: string;
  }
  interface Account extends pg.QueryResultRow {
    id: number;
    available_cents: number;
  }
  const account =
    "select id, available_cents from accounts where user_id = $1 and type = 'Checking'";
  const sender = await run<Person>("sender", "select * from users where id = $1", [person]);
  const recipient = await run<Person>("recipient", "select * from users where email = $1", [
    body.recipientEmail,
  ]);
  const from = await run<Account>("account", account, [person]);
  const to = await run<Account>("account", account, [recipient?.id]);
  if (sender?.status !== "approved" || !recipient || !from || !to) throw new Error("refused");
  if (from.available_cents < amountCents) throw new Error("INSUFFICIENT_FUNDS");
  const move =
    "update accounts set balance_cents = balance_cents + $2, available_cents = available_cents + $2 where id = $1";
  await run("move", move, [from.id, -amountCents]);
  await run("move", move, [to.id, amountCents]);
  const transferId = claimed.transfer_id;
  await run(
    "transferRow",
    "insert into transfers (id, user_id, recipient_id, amount_cents, reference) values ($1, $2, $3, $4, $5)",
    [transferId, person, recipient.id, amountCents, reference],
  );
  const journal = await run<{ id: number }>(
    "journal",
    "insert into journals (kind) values ('transfer') returning id",
    [],
  );
  await run(
    "postings",
    "insert into postings (journal_id, account_id, amount_cents) values ($1, $2, $3), ($1, $4, $5)",
    [journal?.id, from.id, -amountCents, to.id, amountCents],
  );
  const row =
    "insert into transactions (user_id, account_id, type, amount_cents, description, category, status, reference) values ($1, $2, $3, $4, $5, 'Transfer', 'Completed', $6)";
  await run("row", row, [
    person,
    from.id,
    "debit",
    amountCents,
    `Transfer to ${recipient.name}`,
    reference,
  ]);
  await run("row", row, [
    recipient.id,
    to.id,
    "credit",
    amountCents,
    `Transfer from ${sender.name}`,
    reference,
  ]);
  await run("audit", "insert into audit (actor_id, action) values ($1, 'transfer')", [person]);
  await client.query("commit");
  return transferId;
}

async function transfer(person: number, body: TransferBody): Promise<number> {
  const client = await pool.connect();
  try {
    for (let tries = 0; ; tries += 1) {
      try {
        return await (body.mode === "interactive" ? interactive : procedure)(client, person, body);
      } catch (error) {
        await client.query("rollback");
        const code = (error as { code?: string }).code ?? "";
        if (!SERIALIZATION_FAILURES.has(code) || tries >= RETRIES_MAX) throw error;
      }
    }
  } finally {
    client.release();
  }
}

const app = Fastify({ logger: false });
app.post<{ Body: TransferBody }>("/transfer", async (request) => ({
  transferId: await transfer(await personOf(request.headers.authorization), request.body),
}));

const watchers = new Map<number, Set<WebSocket>>();
async function pushBalance(person: number, sockets: Iterable<WebSocket>): Promise<void> {
  const result = await pool.query<{ available_cents: number }>({
    name: "balance",
    text: "select available_cents from accounts where user_id = $1 order by type",
    values: [person],
  });
  const message = JSON.stringify(result.rows);
  for (const socket of sockets) socket.send(message);
}
const listener = new pg.Client(database);
await listener.connect();
listener.on("notification", ({ payload }) => {
  const person = Number(payload);
  const sockets = watchers.get(person);
  if (sockets) void pushBalance(person, sockets);
});
await listener.query("listen changed");

await app.listen({ port: 0, host: "127.0.0.1" });
const sockets = new WebSocketServer({ server: app.server });
sockets.on("connection", (socket, request) => {
  const token = new URL(request.url ?? "/", "http://peer").searchParams.get("token") ?? "";
  void personOf(`Bearer ${token}`).then(async (person) => {
    const own = watchers.get(person) ?? new Set<WebSocket>();
    watchers.set(person, own.add(socket));
    socket.on("close", () => own.delete(socket));
    await pushBalance(person, [socket]);
  });
});
const address = app.server.address();
console.log(`ready ${typeof address === "object" && address ? address.port : 0}`);
process.on("disconnect", () => process.exit(0));
