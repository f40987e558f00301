import { useState } from "react";
import type { OptimisticLocalStore } from "convex/browser";
import { useMutation, useQuery } from "convex/react";
import { api } from "#api";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { TEXTS } from "#shared/texts";
import { useCommand } from "../../hooks/useCommand";
import { useTimedText } from "../../hooks/useTimedText";
import { orAsk } from "../../lib/secondAdmin";
import type { PolicyListProps } from "./PolicyList";
import { policyTitle } from "#shared/policyTexts";

/** Policies, live, and the two ways to switch them. */
export function usePolicies(): PolicyListProps {
  const policies = useQuery(api.admin.policies.list, {});
  const ask = useMutation(api.admin.approvals.request);
  const setPolicy = orAsk(
    useMutation(api.admin.policies.set).withOptimisticUpdate(showAtOnce),
    (args) => ask({ change: { kind: "policy.set", args } }),
  );
  const set = useCommand(setPolicy, { fallback: "SAVE_FAILED" });
  const apply = useCommand(useMutation(api.admin.policies.applyRecommended), {
    fallback: "SAVE_FAILED",
  });
  const [done, showDone, hideDone] = useTimedText(ADMIN_SUCCESS_MS);
  const [switched, setSwitched] = useState<string | null>(null);
  /** Clears the last switch's outcome when the next one starts. */
  const start = (key: string | null) => {
    setSwitched(key);
    set.clear();
    apply.clear();
    hideDone();
  };
  return {
    policies,
    onSet: (key, value) => {
      start(key);
      void set.run({ key, value }).then((outcome) => {
        if (!outcome.isOk) return;
        const done = `${policyTitle(key)} was switched.`;
        showDone(outcome.value.isAsked ? TEXTS.approvalRequested : done);
      });
    },
    onApplyRecommended: async () => {
      start(null);
      const { isOk } = await apply.run({});
      if (isOk) showDone("The recommended policies are in force.");
      return isOk;
    },
    switched,
    isBusy: set.isBusy || apply.isBusy,
    failure: (set.refusal ?? apply.refusal)?.message ?? null,
    done,
  };
}

/** A switch responds at once; the server's answer, or a refusal, then replaces what is shown. */
function showAtOnce(store: OptimisticLocalStore, { key, value }: { key: string; value: string }) {
  const shown = store.getQuery(api.admin.policies.list, {});
  if (shown === undefined) return;
  store.setQuery(
    api.admin.policies.list,
    {},
    shown.map((policy) => (policy.key === key ? { ...policy, value } : policy)),
  );
}
