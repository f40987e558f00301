import { useCallback, useState } from "react";
import { useMutation, useQuery } from "convex/react";
import type { FunctionArgs } from "convex/server";
import { api } from "#api";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { TEXTS } from "#shared/texts";
import { useOfflineReason } from "../../hooks/useConnection";
import { useKeyedCommand } from "../../hooks/useKeyedCommand";
import { useRequestKey } from "../../hooks/useRequestKey";
import { useTimedText } from "../../hooks/useTimedText";
import { UNKNOWN_CAUSE, type Refusal } from "../../lib/errorText";
import { orAsk } from "../../lib/secondAdmin";
import { gridDefaults, toCommandRows } from "./commandRows";
import type { GridState } from "./gridRows";
import { readCsvFile } from "./readCsvFile";
import type { TransactionGridProps } from "./TransactionGrid";

/** What is added, without its key. */
type BatchPayload = Omit<FunctionArgs<typeof api.admin.transactions.addMany>, "requestKey">;

/** The refusal, with the row it is about, if any (numbered from 1, as in the grid). */
function causeOf({ message, details }: Refusal): string {
  const row = details?.row;
  return typeof row === "number" ? `Row ${row + 1}: ${message}` : message;
}

/** What the grid needs from the server for one user. */
export function useTransactionGrid(userId: string): TransactionGridProps {
  const ask = useMutation(api.admin.approvals.request);
  const addMany = orAsk(useMutation(api.admin.transactions.addMany), (args) =>
    ask({ change: { kind: "transactions.add", args } }),
  );
  const draftKey = `transactions-${userId}`;
  const keys = useRequestKey<BatchPayload>(draftKey);
  const { run, isBusy } = useKeyedCommand(addMany, keys, "ADD_TRANSACTIONS_FAILED");
  const offlineReason = useOfflineReason("offlineChanges");
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  const [fileHash, setFileHash] = useState<string | null>(null);
  const earlierFile = useQuery(
    api.admin.transactions.findDuplicateFile,
    fileHash === null ? "skip" : { userId, fileHash },
  );

  const onAdd = useCallback(
    async (state: GridState, isBalanceUpdated: boolean): Promise<string | null> => {
      const outcome = await run({
        userId,
        rows: toCommandRows(state),
        updateBalance: isBalanceUpdated,
        ...(state.file?.fileHash === undefined ? {} : { fileHash: state.file.fileHash }),
      });
      if (outcome.isOk) {
        showDone(outcome.value.isAsked ? TEXTS.approvalRequested : TEXTS.transactionsAdded);
        return null;
      }
      const { code } = outcome.refusal;
      return code === "ADD_TRANSACTIONS_FAILED" ? UNKNOWN_CAUSE : causeOf(outcome.refusal);
    },
    [userId, run, showDone],
  );

  return {
    draftKey,
    defaults: gridDefaults,
    readFile: readCsvFile,
    onAdd,
    onFileHash: setFileHash,
    earlierFile: fileHash === null ? null : earlierFile,
    isBusy,
    done,
    disabledReason: offlineReason,
  };
}
