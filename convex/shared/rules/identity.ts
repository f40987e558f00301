/**
 * What an administrator changes when somebody has a new name or a new e-mail. Ours: the specification has neither.
 *
 * Not here: contact details, which members change themselves (profile).
 */
import { canonicalEmail, isEmail } from "../email";
import { ADDRESS_LINE_LENGTH_MAX } from "../limits";
import { isBlank, isPlainText } from "../plainText";
import type { DraftOf, Rule } from "./rule";
import { z } from "./zod";

/** Name and e-mail as they are written. */
export const identityCommand = z.object({
  name: z.string().trim(),
  email: z.string().transform(canonicalEmail),
});
export type Identity = z.output<typeof identityCommand>;
type IdentityDraft = DraftOf<Identity>;

/** The facts are what both are now: what stays as it is may be as old as it likes. */
export const IDENTITY_RULES: readonly Rule<IdentityDraft, Identity>[] = [
  { code: "FILL_REQUIRED_FIELDS", field: "name", refuses: ({ name }) => isBlank(name) },
  { code: "FILL_REQUIRED_FIELDS", field: "email", refuses: ({ email }) => isBlank(email) },
  {
    code: "INVALID_EMAIL",
    field: "email",
    refuses: ({ email }, now) =>
      canonicalEmail(email) !== now.email && !isEmail(canonicalEmail(email)),
  },
  {
    code: "INVALID_TEXT",
    field: "name",
    refuses: ({ name }, now) =>
      name.trim() !== now.name && !isPlainText(name.trim(), ADDRESS_LINE_LENGTH_MAX),
  },
  {
    code: "NOTHING_CHANGED",
    refuses: ({ name, email }, now) =>
      name.trim() === now.name && canonicalEmail(email) === now.email,
  },
];
