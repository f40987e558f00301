import { useState } from "react";
import type { OptimisticLocalStore } from "convex/browser";
import { useMutation, useQuery } from "convex/react";
import { api } from "#api";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { TEXTS } from "#shared/texts";
import { useCommand, type CommandOutcome } from "../../hooks/useCommand";
import { useTimedText } from "../../hooks/useTimedText";
import { orAsk } from "../../lib/secondAdmin";
import { ALL_POLICIES, type PolicyListProps } from "./PolicyList";
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
  const [switched, setSwitched] = useState(ALL_POLICIES);
  const [failures, setFailures] = useState<Readonly<Record<string, string>>>({});
  /** Clears the outcomes of earlier switches when the next one starts. */
  const start = () => {
    setFailures({});
    hideDone();
  };
  /** Each outcome stands with its own policy: another one may have been switched while this was under way. */
  const finish = (key: string, outcome: CommandOutcome<unknown>, text: string) => {
    if (outcome.isOk) {
      setSwitched(key);
      showDone(text);
    } else setFailures((others) => ({ ...others, [key]: outcome.refusal.message }));
    return outcome.isOk;
  };
  return {
    policies,
    onSet: (key, value) => {
      start();
      void set.run({ key, value }).then((outcome) => {
        const isAsked = outcome.isOk && outcome.value.isAsked;
        const done = `${policyTitle(key)} was switched.`;
        finish(key, outcome, isAsked ? TEXTS.approvalRequested : done);
      });
    },
    onApplyRecommended: async () => {
      start();
      const outcome = await apply.run({});
      return finish(ALL_POLICIES, outcome, "The recommended policies are in force.");
    },
    isBusy: set.isBusy || apply.isBusy,
    failures,
    switched,
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
