import { useState, type ComponentProps } from "react";
import { Eye, EyeOff } from "lucide-react";
import clsx from "clsx";
import { controlStyle, Field, splitFieldProps, type FieldProps } from "./Field";

/** A labelled password with a Show/Hide switch. Pass `autoComplete`. */
export function PasswordInput(props: FieldProps & Omit<ComponentProps<"input">, "type">) {
  const [isShown, setIsShown] = useState(false);
  const { field, control } = splitFieldProps(props);
  const { className, ...native } = control;
  return (
    <Field {...field}>
      {(wired) => (
        <div className="relative">
          <input
            type={isShown ? "text" : "password"}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            className={clsx(controlStyle, "pr-12!", className)}
            {...native}
            {...wired}
          />
          <button
            type="button"
            aria-pressed={isShown}
            aria-label="Show characters"
            aria-controls={wired.id}
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-control text-muted hover:text-ink"
          >
            {isShown ? (
              <EyeOff aria-hidden className="size-4.5" />
            ) : (
              <Eye aria-hidden className="size-4.5" />
            )}
          </button>
        </div>
      )}
    </Field>
  );
}
