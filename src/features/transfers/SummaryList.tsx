import { Button } from "../../components/ui/Button";
import { DefinitionList } from "../../components/ui/DefinitionList";

export interface SummaryItem {
  readonly term: string;
  readonly value: string;
}

interface SummaryListProps {
  readonly items: readonly SummaryItem[];
  /** Leads back to the details, where everything typed still stands. */
  readonly onChange: () => void;
}

/** What is about to be sent, each line with its way back. */
export function SummaryList({ items, onChange }: SummaryListProps) {
  return (
    <DefinitionList
      items={items.map(({ term, value }) => ({
        term,
        value,
        action: (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Change ${term.toLowerCase()}`}
            onClick={onChange}
          >
            Change
          </Button>
        ),
      }))}
    />
  );
}
