import { Button } from "../../components/ui/Button";
import { DefinitionList } from "../../components/ui/DefinitionList";

export interface SummaryItem<Field extends string> {
  readonly term: string;
  readonly value: string;
  /** Where the details hold it. */
  readonly field: Field;
}

interface SummaryListProps<Field extends string> {
  readonly items: readonly SummaryItem<Field>[];
  /** Goes back to that field of the details, where everything typed is still there. */
  readonly onChange: (field: Field) => void;
  /** It is being sent, so there is no way back. */
  readonly isBusy?: boolean;
}

/** Within a sentence; acronyms keep their capitals. */
const inSentence = (term: string): string =>
  term.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());

/** What is about to be sent, each line with a way back. */
export function SummaryList<Field extends string>(props: SummaryListProps<Field>) {
  const { items, onChange, isBusy = false } = props;
  return (
    <DefinitionList
      items={items.map(({ term, value, field }) => ({
        term,
        value,
        action: (
          <Button
            variant="ghost"
            size="sm"
            className="-mr-1.5"
            aria-label={`Change ${inSentence(term)}`}
            disabled={isBusy}
            onClick={() => onChange(field)}
          >
            Change
          </Button>
        ),
      }))}
    />
  );
}
