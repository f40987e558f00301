import { useId } from "react";
import { countryName } from "#shared/countries";
import { addDays } from "#shared/dates";
import type { Application } from "#shared/rules/signup";
import { Combobox } from "../../components/ui/Combobox";
import { Select } from "../../components/ui/Select";
import { Textarea, TextInput } from "../../components/ui/TextInput";
import { COUNTRY_NAME_OPTIONS } from "../../lib/countryOptions";
import { CORRECTION_GROUPS } from "./correctionFields";
import { EditDialog, type EditProps } from "./EditDialog";
import { useCorrectionEdit } from "./useCorrectionEdit";

export interface Correction {
  readonly application: Application;
  /** What the form started from. */
  readonly expected: Application;
  readonly reason: string;
}

export interface CorrectionDialogProps extends EditProps {
  userId: string;
  /** What the application says now. */
  current: Application;
  /** Resolves to true once it is corrected. */
  onSave: (correction: Correction) => Promise<boolean>;
}

/** What an application says. */
export function CorrectionDialog({ userId, current, onSave, ...dialog }: CorrectionDialogProps) {
  const form = useCorrectionEdit(userId, current, dialog.clearFailure);
  const { application, seen: expected, reason } = form;
  const formId = useId();
  return (
    <EditDialog
      {...dialog}
      size="lg"
      title="Correct application"
      description={LEAD}
      formId={formId}
      form={form}
      saveLabel="Save corrections"
      isStale={form.isStale}
      subject="application"
      onSave={() => onSave({ application, expected, reason: reason.trim() })}
    >
      <ApplicationFields form={form} formId={formId} />
      <ReasonField form={form} formId={formId} />
    </EditDialog>
  );
}

const LEAD =
  "The person is told which details were corrected; an applicant's ticks for them are cleared. What a member is called is changed under Change name or email.";

interface PartProps {
  form: ReturnType<typeof useCorrectionEdit>;
  formId: string;
}

function ReasonField({ form, formId }: PartProps) {
  return (
    <Textarea
      id={`${formId}-reason`}
      label="Reason"
      hint="How you know what is right. Kept in the audit log."
      rows={3}
      required
      error={form.problems.reason}
      value={form.reason}
      onChange={({ target }) => form.edit("reason", target.value)}
    />
  );
}

function ApplicationFields({ form, formId }: PartProps) {
  return CORRECTION_GROUPS.map(({ title, fields }) => (
    <fieldset key={title} className="mb-2 grid gap-4 sm:grid-cols-2 sm:gap-x-3">
      <legend className="text-sub-title mb-3">{title}</legend>
      {fields.map(({ name, label, kind, options, isOptional }) => {
        const value = form.application[name] ?? "";
        const onValueChange = (text: string) => form.edit(name, text);
        const common = {
          id: `${formId}-${name}`,
          label,
          autoComplete: "off",
          error: form.problems[name],
          ...(isOptional === true ? { isOptional } : {}),
        };
        if (kind === "country") {
          return (
            <Combobox
              key={name}
              {...common}
              options={COUNTRY_NAME_OPTIONS}
              // The application stores the country's name; older records may hold a code.
              value={countryName(value)}
              onValueChange={onValueChange}
              emptyText="No countries found."
              placeholder="Search countries"
            />
          );
        }
        const native = {
          ...common,
          value,
          onChange: ({ target }: { target: { value: string } }) => onValueChange(target.value),
        };
        if (options !== undefined) {
          const choices = options.map((option) => ({ value: option, label: option }));
          return <Select key={name} {...native} placeholder="Choose one" options={choices} />;
        }
        const dates = kind === "date" ? { min: "1900-01-01", max: addDays(form.todayIso, -1) } : {};
        return <TextInput key={name} {...native} type={kind ?? "text"} {...dates} />;
      })}
    </fieldset>
  ));
}
