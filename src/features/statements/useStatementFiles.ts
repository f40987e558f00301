import { api } from "#api";
import { STATEMENT_DELAY_MS } from "#shared/limits";
import { TEXTS } from "#shared/texts";
import { useConvex, useMutation } from "convex/react";
import { useState } from "react";
import { useCommand } from "../../hooks/useCommand";
import { saveFile } from "../../lib/saveFile";
import { fileNameOf, fileOf, type FileKind, type StatementChoice } from "../../lib/statementFiles";

const pause = (durationMs: number): Promise<void> =>
  new Promise((resume) => setTimeout(resume, durationMs));

/**
 * Makes statement files. A PDF takes the specified 1.5 seconds and is also sent by e-mail (spec
 * section 2 "Statements"); the other kinds are saved at once.
 */
export function useStatementFiles() {
  const convex = useConvex();
  const request = useMutation(api.statements.request);
  const [status, setStatus] = useState<string | null>(null);
  const command = useCommand(
    async (choice: StatementChoice, kind: FileKind) => {
      const { accountType, period } = choice;
      const [statement] = await Promise.all([
        convex.query(api.statements.get, { accountType, period }),
        kind === "pdf" ? request({ accountType, period }) : null,
        kind === "pdf" ? pause(STATEMENT_DELAY_MS) : null,
      ]);
      saveFile(fileNameOf(choice, kind), await fileOf(statement, kind));
    },
    { fallback: "FILE_FAILED" },
  );
  const save = async (choice: StatementChoice, kind: FileKind) => {
    setStatus(null);
    const { isOk } = await command.run(choice, kind);
    if (isOk) setStatus(kind === "pdf" ? TEXTS.statementSent : TEXTS.fileSaved);
  };
  return {
    save,
    status,
    message: command.refusal?.message,
    clear: () => {
      command.clear();
      setStatus(null);
    },
    isBusy: (choice: StatementChoice, kind: FileKind) =>
      command.pending.some(
        ([{ accountType, period }, pendingKind]) =>
          pendingKind === kind && period === choice.period && accountType === choice.accountType,
      ),
  };
}
