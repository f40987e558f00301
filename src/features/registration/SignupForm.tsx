import { useMemo, useState, type FormEvent } from "react";
import { messageFor } from "#shared/errors";
import { Button } from "../../components/ui/Button";
import { ConfirmDialog } from "../../components/ui/ConfirmDialog";
import { ConnectionNote } from "../../components/ui/ConnectionNote";
import { ErrorSummary } from "../../components/ui/ErrorSummary";
import { PageHeading } from "../../components/ui/PageHeading";
import { TextLink } from "../../components/ui/TextLink";
import { PATHS } from "../../lib/paths";
import { ApplicationField } from "./ApplicationField";
import {
  fieldIdOf,
  SECTIONS,
  type ApplicationValues,
  type FieldName,
  type Passwords,
} from "./fields";
import type { ApplicationProblem } from "./problems";
import { SectionList } from "./SectionList";

interface SignupFormProps {
  values: ApplicationValues & Passwords;
  onChange: (field: FieldName, value: string) => void;
  onSubmit: () => void;
  /** Forgets everything typed, also what is kept in the tab. */
  onClear: () => void;
  isBusy: boolean;
  /** Problems found by the last submission, on the device or by the server. */
  problems: readonly ApplicationProblem[];
  /** Submissions so far. */
  attempt: number;
  /** What the server asks of a password, where that is more than the hint says. */
  passwordRule?: string | undefined;
  /** Latest possible date of birth, YYYY-MM-DD. */
  maxBirthDate: string;
}

/** The membership application: six sections on one page. */
export function SignupForm({
  values,
  onChange,
  onSubmit,
  onClear,
  isBusy,
  problems,
  attempt,
  passwordRule,
  maxBirthDate,
}: SignupFormProps) {
  const [isAsking, setIsAsking] = useState(false);
  // Each time with new controls: one may hold what is not in its value, such as a half-typed date.
  const [clearings, setClearings] = useState(0);
  const completeIds = useMemo(
    () =>
      new Set(
        SECTIONS.filter((section) =>
          section.fields.every((field) => field.isOptional || values[field.name].trim() !== ""),
        ).map((section) => section.id),
      ),
    [values],
  );
  const errorOf = (field: FieldName) =>
    problems.find((problem) => problem.field === field)?.message;
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  return (
    <div className="grid gap-10 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <div className="hidden pt-34 lg:block">
        <SectionList completeIds={completeIds} />
      </div>
      <div className="lg:max-w-form">
        <PageHeading title="Open an account" />
        <p className="mt-2 mb-7 text-base text-muted">
          Apply for membership in one form. We review every application, usually within 1-2 business
          days. Already a member? <TextLink to={PATHS.login}>Sign in</TextLink>
        </p>
        <form method="post" noValidate onSubmit={onFormSubmit} className="grid gap-5">
          <ErrorSummary
            attempt={attempt}
            {...(problems.some((problem) => problem.code === "FILL_REQUIRED_FIELDS")
              ? { lead: messageFor("FILL_REQUIRED_FIELDS") }
              : {})}
            problems={problems.map(({ field, message }) =>
              field === null ? { message } : { fieldId: fieldIdOf(field), message },
            )}
          />
          {SECTIONS.map((section) => (
            <fieldset
              key={`${section.id} ${clearings}`}
              id={section.id}
              className="min-w-0 rounded-card border border-line bg-surface p-5 shadow-card md:p-6"
            >
              <legend className="contents">
                <span className="text-card-title mb-4 block">{section.legend}</span>
              </legend>
              <div className="grid grid-cols-1 gap-x-4 gap-y-5 sm:grid-cols-2">
                {section.fields.map((field) => (
                  <ApplicationField
                    key={field.name}
                    spec={
                      field.name === "password" && passwordRule !== undefined
                        ? { ...field, hint: passwordRule }
                        : field
                    }
                    value={values[field.name]}
                    error={errorOf(field.name)}
                    onChange={(value) => onChange(field.name, value)}
                    maxDate={maxBirthDate}
                  />
                ))}
              </div>
            </fieldset>
          ))}
          <p className="text-sm text-muted">
            If your browser allows it, what you type is kept in this tab until you submit or clear
            the form, so reloading the page loses nothing. Passwords are never kept. By applying you
            accept our <TextLink to={PATHS.terms}>terms</TextLink> and{" "}
            <TextLink to={PATHS.privacy}>privacy notice</TextLink>.
          </p>
          <div className="flex flex-wrap gap-3 max-sm:*:w-full">
            <Button type="submit" size="lg" isBusy={isBusy} busyLabel="Submitting...">
              Submit Application
            </Button>
            <Button variant="ghost" size="lg" disabled={isBusy} onClick={() => setIsAsking(true)}>
              Clear form
            </Button>
          </div>
          <ConnectionNote />
        </form>
        <ConfirmDialog
          isOpen={isAsking}
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            onClear();
            setClearings(clearings + 1);
            return true;
          }}
          title="Clear this form?"
          description="Everything you have typed is removed, from this tab too."
          confirmLabel="Clear form"
          isBusy={false}
        />
      </div>
    </div>
  );
}
