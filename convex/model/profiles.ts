/**
 * A member's own contact details, wherever the record keeps them, and how members hear of their own changes.
 *
 * Applicants have `personalInfo` and `contactDetails`, admin-created people a flat `address`; both
 * are read as one shape. Not here: the rules (shared/rules/profile).
 */
import type { Doc } from "../_generated/dataModel";
import type { MutationCtx } from "../_generated/server";
import { INSTITUTION } from "../shared/institution";
import { displayName } from "../shared/names";
import {
  CONTACT_DETAILS_RULES,
  contactDetailsCommand,
  type ContactDetailsDraft,
} from "../shared/rules/profile";
import { judge } from "./judge";
import { countOwnChange } from "./limits";
import { mail } from "./notify";
import * as securityEvents from "./securityEvents";
import { change } from "./users";

/** The address in one shape; empty texts where nothing is known. */
function addressOf(user: Doc<"users">) {
  if (user.personalInfo !== undefined) return user.personalInfo.address;
  const { street = "", city = "", state = "", zipCode = "" } = user.address ?? {};
  return { street, city, state, postalCode: zipCode };
}

/** Contact details as the member sees them. */
export function viewOf(user: Doc<"users">) {
  const { contactDetails } = user;
  const alternativeEmail = contactDetails?.alternativeEmail;
  const emergencyContact = contactDetails?.emergencyContact;
  return {
    name: displayName(user),
    email: user.email,
    phone: contactDetails?.phoneNumber ?? user.phone ?? "",
    address: addressOf(user),
    memberSince: user.createdAt,
    ...(alternativeEmail === undefined ? {} : { alternativeEmail }),
    ...(emergencyContact === undefined ? {} : { emergencyContact }),
  };
}

/**
 * Changes a member's own contact details.
 * @throws AppError FILL_REQUIRED_FIELDS, INVALID_EMAIL, INVALID_TEXT, RATE_LIMITED
 */
export async function updateContact(
  ctx: MutationCtx,
  user: Doc<"users">,
  draft: ContactDetailsDraft,
): Promise<void> {
  judge(CONTACT_DETAILS_RULES, draft, undefined);
  await countOwnChange(ctx, user._id);
  const command = contactDetailsCommand.parse(draft);
  const { phone, address } = command;
  const alternativeEmail = "alternativeEmail" in command ? command.alternativeEmail : undefined;
  const { street, city, state, postalCode } = address;
  const emergencyContact = command.emergencyContact ?? user.contactDetails?.emergencyContact;
  await change(ctx, user, {
    phone,
    contactDetails: {
      phoneNumber: phone,
      ...(alternativeEmail === undefined ? {} : { alternativeEmail }),
      ...(emergencyContact === undefined ? {} : { emergencyContact }),
    },
    ...(user.personalInfo === undefined
      ? { address: { street, city, state, zipCode: postalCode } }
      : {
          personalInfo: {
            ...user.personalInfo,
            address: { ...user.personalInfo.address, ...address },
          },
        }),
  });
  await tellOwnChange(ctx, user, "contactChanged", "Your contact details were changed");
}

/**
 * On the security page and by e-mail: whoever was locked out by it sees no page. Not what it was changed to: whoever
 * reads the mailbox need not know.
 */
export async function tellOwnChange(
  ctx: MutationCtx,
  user: Doc<"users">,
  kind: "passwordChanged" | "contactChanged",
  what: string,
): Promise<void> {
  await securityEvents.record(ctx, user._id, kind, `${what}.`);
  await mail(ctx, user, {
    subject: what,
    text: `${what} in online banking. If this was not you, call us at once: ${INSTITUTION.supportPhone}.`,
  });
}
