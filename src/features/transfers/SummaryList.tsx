import { Button } from "../../components/ui/Button";
import { DefinitionList } from "../../components/ui/DefinitionList";

export interface SummaryItem {
  readonly term: string;
  readonly value: string;
}

interface SummaryListProps {
  readonly items: readonly SummaryItem[];
  /** Goes back to the details, where everything typed is still there. */
  readonly onChange: () => void;
  /** It is being sent, so there is no way back. */
  readonly isBusy?: boolean;
}

/** What is about to be sent, each line with a way back. */
export function SummaryList({ items, onChange, isBusy = false }: SummaryListProps) {
  return (
    <DefinitionList
      items={items.map(({ term, value }) => ({
        term,
        value,
        action: (
          <Button
            variant="ghost"
            size="sm"
            className="-mr-1.5"
            aria-label={`Change ${term.toLowerCase()}`}
            disabled={isBusy}
            onClick={onChange}
          >
            Change
          </Button>
        ),
      }))}
    />
  );
}
