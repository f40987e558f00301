import { Button } from "../../components/ui/Button";
import { FormAlert } from "../../components/ui/FormAlert";
import { StatusBanner } from "../../components/ui/StatusBanner";
import type { StatementFiles } from "./useStatementFiles";

interface StatementRowProps {
  /** "March 2025" */
  month: string;
  /** What the row says, if more than the month. */
  text?: string;
  isDisabled?: boolean;
  isBusy: boolean;
  /** What came of the last download, if it was this row's: a long list has no other place for it in sight. */
  outcome: Pick<StatementFiles, "status" | "message"> | null;
  onDownload: () => void;
}

/** A month of a list of statements. */
export function StatementRow(props: StatementRowProps) {
  const { month, text = month, isDisabled = false, isBusy, outcome, onDownload } = props;
  return (
    <li className="grid gap-2 py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <span>{text}</span>
        <Button
          variant="ghost"
          size="sm"
          className="-mr-3 ml-auto"
          aria-label={`Download the ${month} statement`}
          disabled={isDisabled}
          isBusy={isBusy}
          onClick={onDownload}
        >
          Download
        </Button>
      </div>
      <StatusBanner>{outcome?.status}</StatusBanner>
      <FormAlert>{outcome?.message}</FormAlert>
    </li>
  );
}
