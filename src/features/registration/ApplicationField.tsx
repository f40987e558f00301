import { Combobox } from "../../components/ui/Combobox";
import { PasswordInput } from "../../components/ui/PasswordInput";
import { Select } from "../../components/ui/Select";
import { TextInput } from "../../components/ui/TextInput";
import { COUNTRY_NAME_OPTIONS } from "../../lib/countryOptions";
import { fieldIdOf, type FieldSpec } from "./fields";

interface ApplicationFieldProps {
  spec: FieldSpec;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  /** For a date: the latest allowed. */
  maxDate: string;
}

/** One field of the application, by its kind. */
export function ApplicationField({ spec, value, error, onChange, maxDate }: ApplicationFieldProps) {
  const common = {
    id: fieldIdOf(spec.name),
    label: spec.label,
    name: spec.name,
    autoComplete: spec.autoComplete,
    error,
    ...(spec.hint === undefined || spec.hint === error ? {} : { hint: spec.hint }),
    ...(spec.isOptional === undefined ? {} : { isOptional: spec.isOptional }),
    ...(spec.isWide ? { fieldClassName: "sm:col-span-2" } : {}),
  };
  const native = {
    ...common,
    value,
    "aria-required": spec.isOptional ? undefined : (true as const),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  switch (spec.kind) {
    case "password":
      return <PasswordInput {...native} />;
    case "select":
      return (
        <Select
          {...native}
          placeholder="Choose one"
          options={(spec.options ?? []).map((option) => ({ value: option, label: option }))}
        />
      );
    case "country":
      return (
        <Combobox
          {...common}
          options={COUNTRY_NAME_OPTIONS}
          value={value}
          onValueChange={onChange}
          emptyText="No countries found."
          placeholder="Search countries"
        />
      );
    case "date":
      return <TextInput {...native} type="date" min="1900-01-01" max={maxDate} />;
    case "email":
      return <TextInput {...native} type="email" autoCapitalize="none" spellCheck={false} />;
    case "tel":
    case "text":
      return <TextInput {...native} type={spec.kind} />;
    default:
      return spec.kind satisfies never;
  }
}
