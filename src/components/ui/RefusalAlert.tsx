import type { MouseEvent } from "react";
import { FormAlert } from "./FormAlert";

interface RefusalAlertProps {
  id: string;
  /** The sentence, once on the page; nothing is rendered without one. */
  message: string | undefined;
  /** The control it is about: the sentence then links to it. */
  fieldId?: string | undefined;
  className?: string;
}

/** Focus is in a field, which on a phone may be a screen away from the sentence. */
const bringIntoView = (alert: HTMLElement | null) => alert?.scrollIntoView({ block: "nearest" });

/** Why a form was refused, with a way to the field in question. */
export function RefusalAlert({ id, message, fieldId, className }: RefusalAlertProps) {
  if (message === undefined) return null;
  const onFollow = (event: MouseEvent) => {
    // The address must not change: a hash opens places on the dashboard.
    event.preventDefault();
    if (fieldId !== undefined) document.getElementById(fieldId)?.focus();
  };
  return (
    <FormAlert ref={bringIntoView} id={id} {...(className === undefined ? {} : { className })}>
      {fieldId === undefined ? (
        message
      ) : (
        <a href={`#${fieldId}`} onClick={onFollow}>
          {message}
        </a>
      )}
    </FormAlert>
  );
}
