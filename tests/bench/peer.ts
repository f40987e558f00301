/** The peer: a cluster, a filled database to copy, and a fresh server for each sample. */
import pg from "pg";
import { peerTokens } from "./people";
import { OPENING_CENTS, PEER_SCHEMA } from "./peerSchema";
import { findPostgres, startCluster, type Cluster } from "./postgres";
import { atEnd, startServer, type Program } from "./processes";
import type { PeerPlan } from "./programs/peerServer";

/** One fresh database with its server. */
interface PeerServer {
  readonly url: string;
  readonly program: Program;
  /** Ends the server and removes the database; returns the sum of balances and the number of transfers. */
  finish(): Promise<{ readonly sumCents: string; readonly transfers: number }>;
}

export interface Peer {
  /** Pid of the database server. */
  readonly clusterPid: number;
  readonly version: string;
  readonly openingSumCents: string;
  readonly tokenOf: (id: number) => Promise<string>;
  startServer(): Promise<PeerServer>;
}

/** E-mail of a person by number, from 1. */
export const peerEmail = (id: number): string => `load${id}@load.example`;

const connect = async (cluster: Cluster, database: string): Promise<pg.Client> => {
  const client = new pg.Client({ host: cluster.socketDir, user: "bench", database });
  await client.connect();
  return client;
};

async function fill(cluster: Cluster, users: number): Promise<void> {
  const client = await connect(cluster, "seeded");
  await client.query(PEER_SCHEMA);
  await client.query(
    `insert into users (email, name, status, is_protected)
     select 'load' || n || '@load.example', 'Person ' || n, 'approved', true from generate_series(1, $1::int) n`,
    [users],
  );
  await client.query(
    `insert into accounts (user_id, type, balance_cents, available_cents)
     select id, type, case type when 'Checking' then ${OPENING_CENTS} else 0 end,
            case type when 'Checking' then ${OPENING_CENTS} else 0 end
     from users, unnest(array['Checking', 'Savings']) type`,
  );
  await client.query("analyze");
  await client.end();
}

/** Starts PostgreSQL with `users` people; null where it is not installed. */
export async function startPeer(users: number): Promise<Peer | null> {
  const bin = findPostgres();
  if (bin === undefined) return null;
  const cluster = startCluster(bin);
  atEnd(() => cluster.stop());
  const admin = await connect(cluster, "postgres");
  // At the end the cluster stops while this client is still connected.
  admin.on("error", () => undefined);
  await admin.query("create database seeded");
  await fill(cluster, users);
  const { publicKeyPem, tokenOf } = await peerTokens();
  const shown = await admin.query<{ server_version: string }>("show server_version");
  let samples = 0;
  return {
    clusterPid: cluster.pid,
    version: shown.rows[0]?.server_version ?? "",
    openingSumCents: String(users * OPENING_CENTS),
    tokenOf,
    async startServer() {
      samples += 1;
      const database = `sample_${samples}`;
      await admin.query(`create database ${database} template seeded`);
      await admin.query("checkpoint");
      const plan: PeerPlan = { socketDir: cluster.socketDir, database, publicKeyPem };
      const program = startServer("peerServer", plan);
      const port = await program.line("ready");
      return {
        url: `http://127.0.0.1:${port}`,
        program,
        async finish() {
          await program.stop("SIGKILL");
          const client = await connect(cluster, database);
          const found = await client.query<{ sum: string; transfers: string }>(
            "select (select sum(balance_cents) from accounts) sum, (select count(*) from transfers) transfers",
          );
          await client.end();
          await admin.query(`drop database ${database} with (force)`);
          const [row] = found.rows;
          return { sumCents: row?.sum ?? "", transfers: Number(row?.transfers) };
        },
      };
    },
  };
}
