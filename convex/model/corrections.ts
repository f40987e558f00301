/**
 * Facts of an application, corrected by staff: a slip of the applicant's, or what a better document shows.
 *
 * Not here: the name and e-mail that others see and pay by (model/identity), what members change themselves
 * (model/profiles).
 */
import type { Doc, Id } from "../_generated/dataModel";
import { maskNumber } from "../shared/accountNumbers";
import { dateOf } from "../shared/dates";
import { appError } from "../shared/errors";
import { isAccepted } from "../shared/roles";
import {
  APPLICATION_WORDS,
  applicationIn,
  changedFields,
  CORRECTION_RULES,
} from "../shared/rules/correction";
import { applicationOf, type Application } from "../shared/rules/signup";
import type { IdCardType, MaritalStatus, VerificationCheck } from "../shared/validators";
import { judge } from "./judge";
import { messageOf } from "./messages";
import { clearChecks, recordOf } from "./registrations";
import { isFormerMember } from "./reopening";
import { IF_NOT_REQUESTED, recordAct, type StaffCtx } from "./staffActs";
import { refuseOneself } from "./standing";
import { change, getUser } from "./users";

type Field = keyof Application;

/** The ticks that a corrected field leaves without what was checked. */
const CHECKS_OF: Readonly<Partial<Record<Field, VerificationCheck>>> = {
  dateOfBirth: "dobValid",
  nationality: "nationalityValid",
  street: "addressComplete",
  city: "addressComplete",
  state: "addressComplete",
  country: "addressComplete",
  postalCode: "addressComplete",
  maritalStatus: "maritalStatusValid",
  phoneNumber: "phoneValid",
  emergencyName: "emergencyContactValid",
  emergencyRelationship: "emergencyContactValid",
  emergencyPhone: "emergencyContactValid",
  idCardType: "idCardValid",
  idCardNumber: "idCardValid",
};

/**
 * Corrects an application; what was ticked about the corrected facts is to be ticked again until the decision. The
 * name follows as long as nobody can pay by it: a member's needs model/identity, and a second administrator.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, NOT_FOUND (never applied), STALE_EDIT (somebody else changed
 *   it since `expected`), the refusals of an application for what changes, NOTHING_CHANGED, REASON_REQUIRED,
 *   INVALID_TEXT (in this order of precedence)
 */
export async function correct(
  ctx: StaffCtx,
  args: {
    readonly userId: Id<"users">;
    readonly application: Application;
    readonly expected: Application;
    readonly reason: string;
  },
): Promise<void> {
  const person = await getUser(ctx, args.userId);
  refuseOneself(ctx, person._id);
  const now = applicationIn(person);
  if (now === null) throw appError("NOT_FOUND");
  if (changedFields(now, args.expected).length > 0) throw appError("STALE_EDIT");
  judge(CORRECTION_RULES, args.application, { todayIso: dateOf(Date.now()), now });
  const reason = messageOf(args.reason);
  const fields = changedFields(now, args.application);
  const after = written(now, args.application, fields);
  const hasAccounts = isAccepted(person) || (await isFormerMember(ctx, person));
  const isNamedSo = person.name === `${now.firstName} ${now.lastName}`;
  const { name, ...parts } = partsOf(person, after);
  await change(ctx, person, { ...parts, ...(hasAccounts || !isNamedSo ? {} : { name }) });
  if (!isAccepted(person)) {
    const checks = fields.flatMap((field) => CHECKS_OF[field] ?? []);
    await clearChecks(ctx, person._id, checks);
  }
  await recordAct(ctx, person, {
    ...toldOf(fields),
    action: "registration.correct",
    before: shown(now, fields),
    after: shown(after, fields, now),
    reason,
  });
}

/** What stays as it is stays to the letter. */
function written(now: Application, draft: Application, fields: readonly Field[]): Application {
  const texts = applicationOf(draft);
  return { ...now, ...Object.fromEntries(fields.map((field) => [field, texts[field] ?? ""])) };
}

/** The application in the parts of the record, without parts that never were there. */
function partsOf({ documents }: Doc<"users">, application: Application) {
  const { alternativeEmail, ...texts } = application;
  const isReachable = alternativeEmail !== undefined && alternativeEmail !== "";
  const whole = recordOf(isReachable ? application : texts);
  const { country, ...address } = whole.personalInfo.address;
  const { emergencyContact, ...contact } = whole.contactDetails;
  const { idCardType, idCardNumber } = application;
  return {
    name: whole.name,
    phone: whole.phone,
    personalInfo: {
      ...whole.personalInfo,
      maritalStatus: application.maritalStatus as MaritalStatus,
      address: country === "" ? address : { ...address, country },
    },
    contactDetails: {
      ...contact,
      ...(emergencyContact.name === "" ? {} : { emergencyContact }),
    },
    documents: {
      verificationStatus: whole.documents.verificationStatus,
      ...documents,
      ...(idCardType === "" ? {} : { idCardType: idCardType as IdCardType }),
      ...(idCardNumber === "" ? {} : { idCardNumber }),
    },
  };
}

/** Half of a number or more stays hidden. */
const masked = (text: string): string => (text.length < 8 ? "••••" : maskNumber(text));

/** The fields for the audit log, the ID number masked; two that look alike then are told apart from `earlier`. */
function shown(application: Application, fields: readonly Field[], earlier?: Application) {
  const textOf = (field: Field): string => {
    const text = application[field] ?? "";
    if (field !== "idCardNumber" || text === "") return text;
    const isAlike = earlier !== undefined && masked(earlier.idCardNumber) === masked(text);
    return `${masked(text)}${isAlike ? " (corrected)" : ""}`;
  };
  return Object.fromEntries(fields.map((field) => [field, textOf(field)]));
}

/** On the security page, in the bell and by e-mail: which facts, not what they say. */
function toldOf(fields: readonly Field[]) {
  const words = fields.map((field) => APPLICATION_WORDS[field]).join(", ");
  const done = `Our staff corrected these facts about you: ${words}.`;
  return {
    event: `Staff corrected your details: ${words}.`,
    notice: { kind: "staffChange", title: "Details corrected", body: done },
    mail: { subject: "Your details were corrected", text: `${done} ${IF_NOT_REQUESTED}` },
  };
}
