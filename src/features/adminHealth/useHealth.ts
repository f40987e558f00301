import { useMutation, useQuery } from "convex/react";
import { api } from "#api";
import { useActs } from "../../hooks/useActs";
import { useCommand } from "../../hooks/useCommand";
import { useNow } from "../../hooks/useNow";
import type { HealthPanelsProps } from "./HealthPanels";

/** Health, live, and the ledger check on demand. */
export function useHealth(): HealthPanelsProps {
  const health = useQuery(api.admin.health.get, {});
  const nowMs = useNow();
  const check = useCommand(useMutation(api.admin.health.runLedgerCheck), {
    fallback: "SAVE_FAILED",
  });
  const { acts, tell } = useActs(check);
  return {
    ...acts,
    health,
    nowMs,
    onRunLedgerCheck: () => {
      void check.run({}).then((outcome) => tell(outcome, "The ledger check has started."));
    },
  };
}
