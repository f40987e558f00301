import { useMemo } from "react";
import { useMutation, useQueries } from "convex/react";
import { api } from "#api";
import type { Id } from "#data";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { TEXTS } from "#shared/texts";
import { useCommand } from "../../hooks/useCommand";
import { useTimedText } from "../../hooks/useTimedText";
import { orAsk } from "../../lib/secondAdmin";
import type { AccountChange } from "./AccountEditForm";
import type { UserDetailData } from "./userDetailData";

/**
 * The selected user, live: undefined while loading, null when there is no such user (the id in an address may be
 * anything, and must not break the page).
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
 * `onSave` saves edits of one account, or asks a second administrator to approve them; resolves to null or to the
 * sentence that says why not. `done` says for three seconds that they are saved, or waiting.
 */
export function useAccountEdit() {
  const ask = useMutation(api.admin.approvals.request);
  const update = orAsk(useMutation(api.admin.accounts.update), (args) =>
    ask({ change: { kind: "account.update", args } }),
  );
  const { run } = useCommand(update, { fallback: "UPDATE_ACCOUNT_FAILED" });
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  const onSave = async (accountId: string, change: AccountChange): Promise<string | null> => {
    const outcome = await run({ accountId, ...change });
    if (!outcome.isOk) return outcome.refusal.message;
    showDone(outcome.value.isAsked ? TEXTS.approvalRequested : TEXTS.accountSaved);
    return null;
  };
  return { onSave, done };
}
