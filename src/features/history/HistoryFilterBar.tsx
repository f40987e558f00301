import { SHORT_TEXT_LENGTH_MAX } from "#shared/limits";
import { ACCOUNT_TYPES, CATEGORIES, TRANSACTION_STATUSES } from "#shared/validators";
import clsx from "clsx";
import { Search, SlidersHorizontal } from "lucide-react";
import { useId, useRef, useState } from "react";
import { AmountInput } from "../../components/ui/AmountInput";
import { Button } from "../../components/ui/Button";
import { Select } from "../../components/ui/Select";
import { TextInput } from "../../components/ui/TextInput";
import { useSettledText } from "../../hooks/useSettledText";
import { afterPress } from "../../lib/afterPress";
import {
  hasFilters,
  problemOf,
  type FilterName,
  type FilterTexts,
  type TypedName,
} from "./filters";

interface HistoryFilterBarProps {
  readonly texts: FilterTexts;
  readonly onChange: (name: FilterName, text: string) => void;
  readonly onClear: () => void;
}

type SettledText = ReturnType<typeof useSettledText>;

const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

const DIRECTIONS = [
  { value: "credit", label: "Money in" },
  { value: "debit", label: "Money out" },
];

/** Search and filters of the history; every choice is kept in the address. On phones the filters fold away. */
export function HistoryFilterBar({ texts, onChange, onClear }: HistoryFilterBarProps) {
  const filtersId = useId();
  const bar = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(() => hasFilters({ ...texts, q: "" }));
  const [typedName, setTypedName] = useState<TypedName | null>(null);
  const [words, setWords, settleWords] = useSettledText(texts.q, (text) => onChange("q", text));
  const from = useSettledText(texts.from, (text) => onChange("from", text));
  const to = useSettledText(texts.to, (text) => onChange("to", text));
  const least = useSettledText(texts.min, (text) => onChange("min", text));
  const most = useSettledText(texts.max, (text) => onChange("max", text));
  const clear = () => {
    // Including text that has not reached the address yet.
    for (const [, setText] of [[words, setWords] as const, from, to, least, most]) setText("");
    onClear();
    // The button goes with the filters. Focus the bar, not the search field: a phone would open its keyboard.
    bar.current?.focus();
  };
  const select = (name: FilterName, label: string, all: string, options: typeof DIRECTIONS) => (
    <Select
      isDense
      label={label}
      placeholder={all}
      options={options}
      value={texts[name]}
      onChange={(event) => onChange(name, event.target.value)}
    />
  );
  const typedControl = (name: TypedName, settle: () => void) => ({
    // Otherwise everything would show as if it matched. Not while it is being typed: "1," may become "1,000".
    error: (typedName !== name && problemOf(texts, name)) || undefined,
    isErrorAnnounced: true,
    onFocus: () => setTypedName(name),
    onBlur: () =>
      afterPress(() => {
        setTypedName(null);
        settle();
      }),
  });
  const date = (name: TypedName, label: string, [text, setText, settle]: SettledText) => (
    <TextInput
      isDense
      type="date"
      label={label}
      fieldClassName="max-sm:col-span-2"
      value={text}
      onChange={(event) => setText(event.target.value)}
      {...typedControl(name, settle)}
    />
  );
  const amount = (name: TypedName, label: string, [text, setText, settle]: SettledText) => (
    <AmountInput
      label={label}
      value={text}
      onValueChange={setText}
      className="min-h-10! pointer-coarse:min-h-11! md:text-sm!"
      {...typedControl(name, settle)}
    />
  );
  return (
    <div
      ref={bar}
      role="search"
      aria-label="Transactions"
      tabIndex={-1}
      className="grid scroll-mt-22 gap-3 rounded-control outline-offset-4 print:hidden"
    >
      <TextInput
        type="search"
        label="Search"
        icon={<Search />}
        placeholder="Description or reference"
        maxLength={SHORT_TEXT_LENGTH_MAX}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onBlur={() => afterPress(settleWords)}
      />
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start md:hidden"
        aria-expanded={isOpen}
        aria-controls={filtersId}
        onClick={() => setIsOpen(!isOpen)}
      >
        <SlidersHorizontal aria-hidden className="size-4" />
        Filters
      </Button>
      <div
        id={filtersId}
        className={clsx("grid grid-cols-2 gap-3 md:grid-cols-4", !isOpen && "max-md:hidden")}
      >
        {select("account", "Account", "All accounts", optionsOf(ACCOUNT_TYPES))}
        {select("type", "Direction", "In and out", DIRECTIONS)}
        {select("category", "Category", "All categories", optionsOf(CATEGORIES))}
        {select("status", "Status", "Any status", optionsOf(TRANSACTION_STATUSES))}
        {date("from", "From date", from)}
        {date("to", "To date", to)}
        {amount("min", "Minimum amount", least)}
        {amount("max", "Maximum amount", most)}
      </div>
      {hasFilters(texts) && (
        <Button variant="ghost" size="sm" className="-ml-3 justify-self-start" onClick={clear}>
          Clear filters
        </Button>
      )}
    </div>
  );
}
