import { api } from "#api";
import { useQuery } from "convex/react";
import type { FunctionReturnType } from "convex/server";

export type Account = FunctionReturnType<typeof api.accounts.listMine>[number];

/** The member's own accounts, live; undefined while they load. */
export function useMyAccounts(): readonly Account[] | undefined {
  return useQuery(api.accounts.listMine, {});
}

/** The Checking account that the dashboard shows first. */
export function checkingOf(accounts: readonly Account[]): Account | undefined {
  return accounts.find((account) => account.type === "Checking");
}
