/**
 * The steps of a transfer to a US bank: details, then the code (spec section 4 "Transfers").
 * Success returns to empty details; the receipt is kept beside them.
 */
import type { ExternalTransferCommand } from "#shared/rules/externalTransfer";

export type ExternalStep =
  | { readonly name: "details" }
  | {
      readonly name: "verify";
      readonly pendingId: string;
      readonly expiresAt: number;
      readonly details: ExternalTransferCommand;
    };

type ExternalEvent =
  | {
      readonly type: "started";
      readonly pendingId: string;
      readonly expiresAt: number;
      readonly details: ExternalTransferCommand;
    }
  | { readonly type: "back" }
  | { readonly type: "done"; readonly pendingId: string };

export const EXTERNAL_START: ExternalStep = { name: "details" };

/** The next step; events that do not fit the step change nothing. */
export function externalFlow(step: ExternalStep, event: ExternalEvent): ExternalStep {
  switch (event.type) {
    case "started":
      if (step.name !== "details") return step;
      return {
        name: "verify",
        pendingId: event.pendingId,
        expiresAt: event.expiresAt,
        details: event.details,
      };
    case "back":
      return EXTERNAL_START;
    case "done":
      // A late answer to another transfer does not end the one waiting for its code.
      return step.name === "verify" && step.pendingId === event.pendingId ? EXTERNAL_START : step;
    default:
      return event satisfies never;
  }
}
