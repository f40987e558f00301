/** What is wrong with the application, per field, in form order and in plain words. */
import { messageFor, type ErrorCode } from "#shared/errors";
import { refusalsByField } from "#shared/rules/rule";
import { SIGNUP_RULES, type SignupFacts } from "#shared/rules/signup";
import {
  FIELDS,
  type ApplicationValues,
  type FieldName,
  type FieldSpec,
  type Passwords,
} from "./fields";

export interface ApplicationProblem {
  /** `null` for the form as a whole. */
  field: FieldName | null;
  code: ErrorCode;
  message: string;
}

/** The server's rules, judged here first; one problem per field. */
export function findProblems(
  values: ApplicationValues & Passwords,
  facts: SignupFacts,
): ApplicationProblem[] {
  const refusals = refusalsByField(SIGNUP_RULES, values, facts);
  const order = new Map<string, number>(FIELDS.map(({ name }, index) => [name, index]));
  return refusals
    .map(({ field, code }): ApplicationProblem => {
      const spec = FIELDS.find((candidate) => candidate.name === field);
      return { field: spec?.name ?? null, code, message: sentence(code, spec, facts) };
    })
    .sort((one, other) => rank(order, one) - rank(order, other));
}

function rank(order: ReadonlyMap<string, number>, problem: ApplicationProblem): number {
  return problem.field === null ? -1 : (order.get(problem.field) ?? order.size);
}

/** A problem that several fields may have names its field; the others have their own sentence in the catalogue. */
function sentence(code: ErrorCode, spec: FieldSpec | undefined, facts: SignupFacts): string {
  const message = messageFor(code, { minimum: facts.passwordMinLength });
  if (spec === undefined) return message;
  if (code === "FILL_REQUIRED_FIELDS") return `${spec.label} is required`;
  // The specification's sentence about the address belongs to Email.
  const isShared = code === "INVALID_TEXT" || (code === "INVALID_EMAIL" && spec.name !== "email");
  return isShared ? `${spec.label}: ${message}` : message;
}
