/**
 * The steps of an international transfer: details, notice with summary, confirmation (spec section
 * 4 "Transfers"). Success returns to empty details.
 */
export type InternationalStep<Command> =
  | { readonly name: "details" }
  | { readonly name: "notice"; readonly command: Command }
  | { readonly name: "confirm"; readonly command: Command };

export type InternationalEvent<Command> =
  | { readonly type: "reviewed"; readonly command: Command }
  | { readonly type: "continued" }
  | { readonly type: "back" }
  | { readonly type: "edit" }
  | { readonly type: "done"; readonly command: Command };

/** The next step; events that do not fit the step change nothing. */
export function internationalFlow<Command>(
  step: InternationalStep<Command>,
  event: InternationalEvent<Command>,
): InternationalStep<Command> {
  switch (event.type) {
    case "reviewed":
      return step.name === "details" ? { name: "notice", command: event.command } : step;
    case "continued":
      return step.name === "notice" ? { name: "confirm", command: step.command } : step;
    case "back":
      return step.name === "confirm"
        ? { name: "notice", command: step.command }
        : { name: "details" };
    case "edit":
      return { name: "details" };
    case "done":
      return step.name === "confirm" && step.command === event.command ? { name: "details" } : step;
    default:
      return event satisfies never;
  }
}
