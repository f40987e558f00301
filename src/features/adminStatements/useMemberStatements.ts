import { useMutation, useQuery } from "convex/react";
import { useState } from "react";
import { api } from "#api";
import type { Id } from "#data";
import { TEXTS } from "#shared/texts";
import type { AccountType } from "#shared/validators";
import { useCommand } from "../../hooks/useCommand";
import { saveFile } from "../../lib/saveFile";
import { fileNameOf, fileOf, type FileKind, type StatementChoice } from "../../lib/statementFiles";

/** The choice of a statement and its download; `periods` is undefined while loading. */
export function useMemberStatements(userId: string) {
  const personId = userId as Id<"users">;
  const periods = useQuery(api.admin.statements.periods, { userId: personId });
  const open = useMutation(api.admin.statements.open);
  const [accountType, setAccountType] = useState<AccountType>("Checking");
  const [chosenPeriod, setPeriod] = useState<string>();
  const [isSaved, setIsSaved] = useState(false);
  const { run, pending, refusal, clear } = useCommand(
    async (choice: StatementChoice, kind: FileKind) => {
      const statement = await open({ userId: personId, ...choice });
      const name = fileNameOf(choice, kind, statement.accountNumber);
      saveFile(name, await fileOf(statement, kind));
    },
    { fallback: "FILE_FAILED" },
  );
  const edited = () => {
    clear();
    setIsSaved(false);
  };
  const period = chosenPeriod ?? periods?.[0]?.period;
  return {
    periods,
    accountType,
    period,
    chooseAccount: (next: AccountType) => {
      edited();
      setAccountType(next);
    },
    choosePeriod: (next: string) => {
      edited();
      setPeriod(next);
    },
    save: async (kind: FileKind) => {
      if (period === undefined) return;
      setIsSaved(false);
      setIsSaved((await run({ accountType, period }, kind)).isOk);
    },
    isBusy: (kind: FileKind) => pending.some(([, pendingKind]) => pendingKind === kind),
    failure: refusal?.message,
    done: isSaved ? TEXTS.fileSaved : null,
  };
}
