/** The benchmark's own bank: a filled folder to copy, and a fresh server for each sample. */
import { cpSync, readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { OPENING_CENTS } from "./peerSchema";
import { peerTokens } from "./people";
import { ROOT, start, startServer, temporaryFolder, type Program } from "./processes";
import type { BankPlan } from "./programs/bankServer";
import { IDS_FILE, type Answers } from "./programs/serverPlan";

/** A fresh server on a copy of the filled folder. */
export interface BankServer {
  readonly url: string;
  readonly program: Program;
  readonly dataDir: string;
  /** Ends the server and removes its folder; returns the sum of balances and the number of transfers. */
  finish(): Promise<Answers["ledger"]>;
}

export interface Bank {
  readonly openingSumCents: string;
  /** The token of a person by number, from 1. */
  readonly tokenOf: (number: number) => Promise<string>;
  startServer(): Promise<BankServer>;
}

/** Fills a folder with `users` people, numbered like the peer's. */
export async function prepareBank(port: number, users: number): Promise<Bank> {
  const { jwksUri, tokenOf } = await peerTokens();
  const filled = temporaryFolder();
  const planOn = (dataDir: string): BankPlan => ({ root: ROOT, dataDir, jwksUri, port });
  const filler = start("bankServer", { ...planOn(filled.dir), fillUsers: users });
  await filler.line("filled");
  await filler.stop();
  const ids = JSON.parse(readFileSync(path.join(filled.dir, IDS_FILE), "utf8")) as string[];
  return {
    openingSumCents: String(BigInt(users) * BigInt(OPENING_CENTS)),
    tokenOf: (number) => tokenOf(ids[number - 1] ?? ""),
    async startServer() {
      const copy = temporaryFolder();
      cpSync(filled.dir, copy.dir, { recursive: true });
      // Otherwise the measured syncs would also write the copy's own pages.
      spawnSync("sync");
      const program = startServer("bankServer", planOn(copy.dir));
      await program.line("ready");
      return {
        url: `http://127.0.0.1:${port}`,
        program,
        dataDir: copy.dir,
        async finish() {
          const ledger = (await program.ask("ledger")) as Answers["ledger"];
          await program.stop();
          copy.remove();
          return ledger;
        },
      };
    },
  };
}
