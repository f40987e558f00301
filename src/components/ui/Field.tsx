import { useId, type ReactNode } from "react";
import { CircleAlert } from "lucide-react";
import clsx from "clsx";

/** What every labelled control accepts besides its native attributes. */
export interface FieldProps {
  label: string;
  /** One line below the control. */
  hint?: ReactNode;
  /** One sentence; marks the control invalid. */
  error?: string | undefined;
  /** The sentence comes while the focus is elsewhere, so it is announced. */
  isErrorAnnounced?: boolean;
  /** The label stays for assistive technology only (dense grids). */
  isLabelHidden?: boolean;
  /** Adds "(optional)" beside the label, outside the control's name. */
  isOptional?: boolean;
  /** Marks the control invalid without a sentence of its own (the sentence is in a FormAlert). */
  isInvalid?: boolean;
  /** Ids of further descriptions, such as a FormAlert. */
  describedBy?: string | undefined;
  id?: string;
  /** Class of the wrapper. */
  fieldClassName?: string | undefined;
}

/** Attributes to spread on the control inside a Field. */
export interface ControlProps {
  id: string;
  "aria-invalid"?: true;
  "aria-describedby"?: string;
}

/** Label, control, hint, error, in this order, with their ids wired. */
export function Field({
  label,
  hint,
  error,
  isErrorAnnounced = false,
  isLabelHidden = false,
  isOptional = false,
  isInvalid = false,
  describedBy,
  id,
  fieldClassName,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const hintId = `${controlId}-hint`;
  const errorId = `${controlId}-error`;
  const hasError = error !== undefined && error !== "";
  const hasHint = hint !== undefined && hint !== null && hint !== false;
  const description = clsx(hasHint && hintId, hasError && errorId, describedBy);
  const control: ControlProps = { id: controlId };
  if (hasError || isInvalid) control["aria-invalid"] = true;
  if (description !== "") control["aria-describedby"] = description;
  return (
    <div className={clsx("grid grid-cols-1 content-start gap-1.5", fieldClassName)}>
      <div className={clsx("flex items-baseline gap-1.5", isLabelHidden && "sr-only")}>
        <label htmlFor={controlId} className="text-sm font-semibold text-ink">
          {label}
        </label>
        {isOptional && (
          // No taller than the label, so that neighboring controls line up.
          <span className="text-[0.8125rem] leading-none text-muted">(optional)</span>
        )}
      </div>
      {children(control)}
      {hasHint && (
        <p id={hintId} className="num text-[0.8125rem] text-muted">
          {hint}
        </p>
      )}
      {hasError && (
        <FieldError id={errorId} isAnnounced={isErrorAnnounced}>
          {error}
        </FieldError>
      )}
    </div>
  );
}

/** The red line under a control. */
export function FieldError({
  id,
  isAnnounced = false,
  children,
}: {
  id: string;
  isAnnounced?: boolean;
  children: ReactNode;
}) {
  return (
    <p
      id={id}
      role={isAnnounced ? "alert" : undefined}
      className="flex items-start gap-1.5 text-[0.8125rem] font-medium text-neg"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  );
}

/** Box of native controls: 44 px high, 16 px text (smaller text makes phones zoom). */
export const controlStyle = clsx(
  "min-h-11 w-full rounded-control border border-control bg-surface px-3.5 py-2 text-base text-ink",
  "transition-colors duration-120 placeholder:text-subtle hover:border-muted",
  "[&:is(input,textarea):read-only]:bg-sunken disabled:bg-sunken disabled:opacity-55",
  "aria-invalid:border-neg aria-invalid:ring-1 aria-invalid:ring-neg forced-colors:aria-invalid:border-2",
);

/** Denser box for toolbars and grids. */
export const denseControlStyle = clsx(
  "min-h-10 pointer-coarse:min-h-11 w-full rounded-control border border-control bg-surface px-2.5 py-1.5 text-base text-ink md:text-sm",
  "transition-colors duration-120 placeholder:text-subtle hover:border-muted disabled:opacity-55",
  "aria-invalid:border-neg aria-invalid:ring-1 aria-invalid:ring-neg forced-colors:aria-invalid:border-2",
);

/** Splits the props of a labelled control into those of the Field and those of the control. */
export function splitFieldProps<P extends FieldProps>(props: P) {
  const {
    label,
    hint,
    error,
    isErrorAnnounced,
    isLabelHidden,
    isOptional,
    isInvalid,
    describedBy,
    id,
    fieldClassName,
    ...control
  } = props;
  const field: FieldProps = { label, fieldClassName };
  if (hint !== undefined) field.hint = hint;
  if (error !== undefined) field.error = error;
  if (isErrorAnnounced !== undefined) field.isErrorAnnounced = isErrorAnnounced;
  if (isLabelHidden !== undefined) field.isLabelHidden = isLabelHidden;
  if (isOptional !== undefined) field.isOptional = isOptional;
  if (isInvalid !== undefined) field.isInvalid = isInvalid;
  if (describedBy !== undefined) field.describedBy = describedBy;
  if (id !== undefined) field.id = id;
  return { field, control };
}
