/**
 * A minimal server of the sync protocol that still makes every mutation durable: it parses frames, writes a
 * record of the same size as ours through the same journal and group commit, then sends the result and a
 * Transition. No functions, no documents, no identity, no queries.
 *
 * It shows the cost of protocol, sockets and disk alone. Prints `ready PORT`.
 */
import { WebSocketServer, type WebSocket } from "ws";
import { GroupCommit } from "../../../embedded/db/groupCommit";
import { Journal } from "../../../embedded/storage/journal";
import {
  mutationSucceeded,
  transitionMessage,
  type StateVersion,
} from "../../../embedded/sync/protocol";
import { readPlan } from "./plan";

export interface ThinPlan {
  readonly journalDir: string;
  /** Bytes of one mutation's record. */
  readonly recordBytes: number;
  /** The result of a mutation, as JSON. */
  readonly answerJson: string;
}

/** The fields of a frame that this server uses. */
interface Frame {
  readonly type: string;
  readonly requestId: number;
  readonly newVersion: number;
}

const plan = readPlan<ThinPlan>();
const journal = Journal.open(plan.journalDir, 0, () => undefined);
const groups = new GroupCommit(journal, {
  groupCut: () => undefined,
  groupDurable: () => undefined,
  logFailed: (error) => {
    throw error;
  },
});
const record = Buffer.alloc(plan.recordBytes, 1);
let last = 0;

/** Resolves with the mutation's timestamp once its record is on disk. */
function commit(): Promise<bigint> {
  last += 1;
  const ts = BigInt(last);
  return new Promise((resolve, reject) => {
    const written = { seq: last, commit: { ts, writes: [], heldBytes: 0 }, record };
    groups.add({ ...written, resolve: () => resolve(ts), reject });
  });
}

function serve(socket: WebSocket): void {
  let version: StateVersion = { querySet: 0, identity: 0, ts: 0n };
  const moveTo = (next: Partial<StateVersion>): void => {
    const end = { ...version, ...next };
    socket.send(transitionMessage(version, end, [], null));
    version = end;
  };
  const mutate = async (requestId: number): Promise<void> => {
    const ts = await commit();
    socket.send(mutationSucceeded(requestId, plan.answerJson, ts, []));
    moveTo({ ts: ts > version.ts ? ts : version.ts });
  };
  socket.on("message", (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Frame;
    if (frame.type === "Authenticate") moveTo({ identity: version.identity + 1 });
    else if (frame.type === "ModifyQuerySet") moveTo({ querySet: frame.newVersion });
    else if (frame.type === "Mutation") void mutate(frame.requestId);
  });
}

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
server.on("connection", serve);
server.on("listening", () => {
  const address = server.address();
  console.log(`ready ${typeof address === "object" && address !== null ? address.port : 0}`);
});
process.on("disconnect", () => process.exit(0));
