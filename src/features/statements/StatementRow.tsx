import { Button } from "../../components/ui/Button";
import { FormAlert } from "../../components/ui/FormAlert";
import { StatusBanner } from "../../components/ui/StatusBanner";
import type { StatementChoice } from "../../lib/statementFiles";
import { useStatementFiles } from "./useStatementFiles";

interface StatementRowProps {
  /** "March 2025" */
  month: string;
  /** What the row says, if more than the month. */
  text?: string;
  /** Null as long as there is nothing to download. */
  choice: StatementChoice | null;
}

/** A month of a list of statements. What comes of its download stands with it: a long list has no other place in sight. */
export function StatementRow({ month, text = month, choice }: StatementRowProps) {
  const files = useStatementFiles();
  return (
    <li className="grid gap-2 py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <span>{text}</span>
        <Button
          variant="ghost"
          size="sm"
          className="-mr-3 ml-auto"
          aria-label={`Download the ${month} statement`}
          disabled={choice === null}
          isBusy={choice !== null && files.isBusy(choice, "pdf")}
          onClick={() => {
            if (choice !== null) void files.save(choice, "pdf");
          }}
        >
          Download
        </Button>
      </div>
      <StatusBanner>{files.status}</StatusBanner>
      <FormAlert>{files.message}</FormAlert>
    </li>
  );
}
