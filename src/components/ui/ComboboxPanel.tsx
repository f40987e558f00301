import { Combobox as BaseCombobox } from "@base-ui/react/combobox";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Check, ChevronDown } from "lucide-react";
import clsx from "clsx";
import { useRef } from "react";
import { afterPress } from "../../lib/afterPress";
import type { ComboboxOption, ComboboxProps } from "./Combobox";
import { controlStyle, type ControlProps, type FieldProps } from "./Field";

const fold = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** A word of the label or of an alias starts with what was typed. */
function isMatch(option: ComboboxOption, query: string): boolean {
  const wanted = fold(query.trim());
  return [option.label, option.value, ...(option.aliases ?? [])].some((text) => {
    const folded = fold(text);
    return folded.startsWith(wanted) || folded.includes(` ${wanted}`);
  });
}

/** The option whose full label was typed or filled in by the browser. */
function exactMatch(options: readonly ComboboxOption[], text: string): ComboboxOption | undefined {
  const wanted = fold(text.trim());
  return options.find((option) => fold(option.label) === wanted);
}

/** Filled in by the browser all at once; uses the library's own test. */
function isFilledIn(event: Event): boolean {
  const { inputType } = event as InputEvent;
  return event.type === "input" && (!inputType || inputType === "insertReplacementText");
}

/** What Combobox shows; in its own file so that the library loads when needed. */
export function ComboboxPanel({
  options,
  value,
  onValueChange,
  emptyText,
  placeholder,
  autoComplete,
  name,
  wired,
}: Omit<ComboboxProps, keyof FieldProps> & { wired: ControlProps }) {
  const chosen = options.find((option) => option.value === value) ?? null;
  const text = useRef("");
  /** What was there when a press elsewhere closed the list: the library empties the field before the press is over. */
  const left = useRef("");
  const takeExactMatch = (typed = text.current) => {
    const exact = exactMatch(options, typed);
    if (exact && exact.value !== value) onValueChange(exact.value);
  };
  return (
    <CSPProvider disableStyleElements>
      <BaseCombobox.Root
        items={options}
        value={chosen}
        onValueChange={(option: ComboboxOption | null) => onValueChange(option?.value ?? "")}
        onInputValueChange={(now: string, { event }) => {
          text.current = now;
          if (isFilledIn(event)) takeExactMatch();
        }}
        onOpenChange={(isOpen, { reason }) => {
          left.current = reason === "outside-press" ? text.current : "";
          // Not on every key: "Niger" is on the way to "Nigeria".
          if (!isOpen && reason !== "item-press" && reason !== "outside-press") takeExactMatch();
        }}
        filter={isMatch}
        itemToStringLabel={(option: ComboboxOption) => option.label}
        isItemEqualToValue={(one: ComboboxOption, other: ComboboxOption) =>
          one.value === other.value
        }
        autoHighlight
        {...(name === undefined ? {} : { name })}
        {...(autoComplete === undefined ? {} : { autoComplete })}
      >
        <div className="relative">
          <BaseCombobox.Input
            {...wired}
            placeholder={placeholder}
            onKeyDown={(event) => {
              // The library would empty the field; Escape only closes the list.
              if (event.key === "Escape") event.preventBaseUIHandler();
            }}
            onBlur={() => {
              const typed = left.current || text.current;
              left.current = "";
              afterPress(() => takeExactMatch(typed));
            }}
            className={clsx(controlStyle, "pr-10!")}
          />
          <BaseCombobox.Trigger
            aria-label="Show options"
            tabIndex={-1}
            className="absolute inset-y-0 right-0 grid w-11 place-items-center text-ink"
          >
            <ChevronDown aria-hidden className="size-4" />
          </BaseCombobox.Trigger>
        </div>
        <BaseCombobox.Portal>
          <BaseCombobox.Positioner sideOffset={4} className="z-60 outline-none">
            <BaseCombobox.Popup className="max-h-[min(18rem,var(--available-height))] w-(--anchor-width) overflow-y-auto overscroll-contain rounded-tile border border-line bg-raised p-1 shadow-popup">
              <BaseCombobox.Empty className="px-3 py-2.5 text-muted empty:p-0">
                {emptyText}
              </BaseCombobox.Empty>
              <BaseCombobox.List>
                {(option: ComboboxOption) => (
                  <BaseCombobox.Item
                    key={option.value}
                    value={option}
                    className="flex min-h-10 pointer-coarse:min-h-11 cursor-default items-center justify-between gap-3 rounded-control px-3 data-highlighted:bg-brand-soft"
                  >
                    {option.label}
                    <BaseCombobox.ItemIndicator>
                      <Check aria-hidden className="size-4 text-brand-ink" />
                    </BaseCombobox.ItemIndicator>
                  </BaseCombobox.Item>
                )}
              </BaseCombobox.List>
            </BaseCombobox.Popup>
          </BaseCombobox.Positioner>
        </BaseCombobox.Portal>
      </BaseCombobox.Root>
    </CSPProvider>
  );
}
