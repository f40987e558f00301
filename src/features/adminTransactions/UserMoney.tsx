import { BatchList } from "./BatchList";
import { TransactionGrid } from "./TransactionGrid";
import { TransactionTable } from "./TransactionTable";
import { useBatches } from "./useBatches";
import { useTransactionGrid } from "./useTransactionGrid";
import { useUserTransactions } from "./useUserTransactions";

/** Everything about one user's transactions: add, list, delete, take back. */
export function UserMoney({ userId }: { userId: string }) {
  const grid = useTransactionGrid(userId);
  const table = useUserTransactions(userId);
  const batches = useBatches(userId);
  return (
    <>
      <TransactionGrid {...grid} />
      <TransactionTable {...table} />
      <BatchList {...batches} />
    </>
  );
}
