import { useMemo } from "react";
import { useMutation, useQueries } from "convex/react";
import { api } from "#api";
import type { Id } from "#data";
import { useCommand } from "../../hooks/useCommand";
import { orAsk } from "../../lib/secondAdmin";
import type { AccountChange } from "./AccountEditForm";
import type { UserDetailData } from "./userDetail";

/**
 * The selected user, live: undefined while loading, null when there is no such user (an id in an
 * address may be anything, and must not take the page down).
 */
export function useUserDetail(userId: string): UserDetailData | null | undefined {
  const { detail } = useQueries(
    useMemo(
      () => ({ detail: { query: api.admin.users.get, args: { userId: userId as Id<"users"> } } }),
      [userId],
    ),
  ) as { detail: UserDetailData | null | undefined | Error };
  return detail instanceof Error ? null : detail;
}

/**
 * Saves account edits, or asks a second administrator for them; answers null or the sentence that
 * says why not.
 */
export function useAccountEdit() {
  const ask = useMutation(api.admin.approvals.request);
  const update = orAsk(useMutation(api.admin.accounts.update), (args) =>
    ask({ change: { kind: "account.update", args } }),
  );
  const { run } = useCommand(update, { fallback: "UPDATE_ACCOUNT_FAILED" });
  return async (accountId: string, change: AccountChange): Promise<string | null> => {
    const outcome = await run({ accountId, ...change });
    return outcome.isOk ? null : outcome.refusal.message;
  };
}
