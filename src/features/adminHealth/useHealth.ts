import { useMutation, useQuery } from "convex/react";
import { api } from "#api";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { useCommand } from "../../hooks/useCommand";
import { useNow } from "../../hooks/useNow";
import { useTimedText } from "../../hooks/useTimedText";
import type { HealthPanelsProps } from "./HealthPanels";

/** Health, live, and the ledger check on demand. */
export function useHealth(): HealthPanelsProps {
  const health = useQuery(api.admin.health.get, {});
  const nowMs = useNow();
  const { run, isBusy, refusal } = useCommand(useMutation(api.admin.health.runLedgerCheck), {
    fallback: "SAVE_FAILED",
  });
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  return {
    health,
    nowMs,
    onRunLedgerCheck: () => {
      void run({}).then(({ isOk }) => isOk && showDone("The ledger check has started."));
    },
    isBusy,
    failure: refusal?.message ?? null,
    done,
  };
}
