import { Suspense } from "react";
import clsx from "clsx";
import { ChevronDown } from "lucide-react";
import { lazyPart } from "../../lib/lazyPart";
import { controlStyle, Field, splitFieldProps, type FieldProps } from "./Field";

const ComboboxPanel = lazyPart(() => import("./ComboboxPanel"), "ComboboxPanel");

export interface ComboboxOption {
  value: string;
  /** As shown in the field and in the list. */
  label: string;
  /** Other words people search for. */
  aliases?: readonly string[];
}

export interface ComboboxProps extends FieldProps {
  options: readonly ComboboxOption[];
  /** The chosen option's value; "" for none. */
  value: string;
  onValueChange: (value: string) => void;
  /** "No countries found." */
  emptyText: string;
  placeholder?: string;
  autoComplete?: string;
  name?: string;
}

/** A searchable list. The library loads when the field is shown; until then it looks the same. */
export function Combobox(props: ComboboxProps) {
  const { field, control } = splitFieldProps(props);
  const chosen = props.options.find((option) => option.value === props.value);
  return (
    <Field {...field}>
      {(wired) => (
        <Suspense
          fallback={
            <span className="relative block">
              <input
                readOnly
                id={wired.id}
                value={chosen?.label ?? ""}
                placeholder={props.placeholder}
                className={clsx(controlStyle, "bg-surface! pr-10!")}
              />
              <ChevronDown
                aria-hidden
                className="pointer-events-none absolute top-1/2 right-3.5 size-4 -translate-y-1/2"
              />
            </span>
          }
        >
          <ComboboxPanel {...control} wired={wired} />
        </Suspense>
      )}
    </Field>
  );
}
