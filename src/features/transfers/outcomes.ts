import { DIALOG_TITLES } from "#shared/texts";
import type { Refusal } from "../../lib/errorText";

/** Refusals that are shown in a dialog (spec sections 2 and 8). */
const OUTCOME_CODES = ["TRANSFER_BLOCKED", "ACTIVITY_ALERT", "ACCOUNT_LOCKED"] as const;

type OutcomeCode = (typeof OUTCOME_CODES)[number];

export interface Outcome {
  readonly code: OutcomeCode;
  readonly message: string;
}

/** The refusal as a dialog's outcome, or null when the form shows it. */
export function outcomeOf(refusal: Refusal | null): Outcome | null {
  const code = OUTCOME_CODES.find((known) => known === refusal?.code);
  return code === undefined || refusal === null ? null : { code, message: refusal.message };
}

/** Title of an outcome's dialog. */
export function outcomeTitle(code: OutcomeCode): string {
  switch (code) {
    case "TRANSFER_BLOCKED":
      return DIALOG_TITLES.transferBlocked;
    case "ACTIVITY_ALERT":
      return DIALOG_TITLES.activityAlert;
    case "ACCOUNT_LOCKED":
      return DIALOG_TITLES.accountLocked;
    default:
      return code satisfies never;
  }
}
