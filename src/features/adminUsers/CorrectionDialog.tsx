import { useId } from "react";
import { countryName } from "#shared/countries";
import { addDays } from "#shared/dates";
import type { Application } from "#shared/rules/signup";
import { Combobox } from "../../components/ui/Combobox";
import { Select } from "../../components/ui/Select";
import { Textarea, TextInput } from "../../components/ui/TextInput";
import { COUNTRY_NAME_OPTIONS } from "../../lib/countryOptions";
import { CORRECTION_GROUPS, type CorrectionField } from "./correctionFields";
import { EditDialog } from "./EditDialog";
import { useCorrectionEdit } from "./useCorrectionEdit";

export interface Correction {
  readonly application: Application;
  /** What the form started from. */
  readonly expected: Application;
  readonly reason: string;
}

export interface CorrectionDialogProps {
  userId: string;
  /** What the application says now. */
  current: Application;
  isOpen: boolean;
  onClose: () => void;
  /** Resolves to true once it is corrected. */
  onSave: (correction: Correction) => Promise<boolean>;
  isBusy: boolean;
  failure: string | null;
  clearFailure: () => void;
}

/** What an application says. What is typed survives a time-out and Escape; Cancel discards it. */
export function CorrectionDialog(props: CorrectionDialogProps) {
  const { onClose, isBusy, failure, clearFailure } = props;
  const form = useCorrectionEdit(props.userId, props.current, clearFailure);
  const formId = useId();
  const idOf = (field: string) => `${formId}-${field}`;
  // While saving, the change on the server is our own.
  const isStale = !isBusy && form.isStale;
  const hide = () => {
    form.clearProblems();
    clearFailure();
    onClose();
  };
  const cancel = () => {
    form.forget();
    hide();
  };
  const submit = async () => {
    const problem = form.judge();
    const { application, seen: expected, reason } = form;
    const correction = { application, expected, reason: reason.trim() };
    if (problem !== null) document.getElementById(idOf(problem))?.focus();
    else if (await props.onSave(correction)) cancel();
  };
  return (
    <EditDialog
      isOpen={props.isOpen}
      size="lg"
      title="Correct application"
      description={LEAD}
      formId={formId}
      saveLabel="Save corrections"
      isStale={isStale}
      subject="application"
      isBusy={isBusy}
      failure={form.problems.root ?? failure}
      onHide={hide}
      onCancel={cancel}
      onSubmit={submit}
    >
      <ApplicationFields form={form} idOf={idOf} />
      <ReasonField form={form} idOf={idOf} />
    </EditDialog>
  );
}

const LEAD =
  "The person is told which details were corrected; an applicant's ticks for them are cleared. What a member is called is changed under Change name or email.";

interface PartProps {
  form: ReturnType<typeof useCorrectionEdit>;
  idOf: (field: CorrectionField) => string;
}

function ReasonField({ form, idOf }: PartProps) {
  return (
    <Textarea
      id={idOf("reason")}
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

function ApplicationFields({ form, idOf }: PartProps) {
  return CORRECTION_GROUPS.map(({ title, fields }) => (
    <fieldset key={title} className="mb-2 grid gap-4 sm:grid-cols-2 sm:gap-x-3">
      <legend className="text-sub-title mb-3">{title}</legend>
      {fields.map(({ name, label, kind, options, isOptional }) => {
        const value = form.application[name] ?? "";
        const onValueChange = (text: string) => form.edit(name, text);
        const common = {
          id: idOf(name),
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
