/**
 * The flows that store the privacy canaries: marked values, each with the audience that may read it.
 *
 * Not here: where they are searched for (canaries.test.ts).
 */
import { randomUUID } from "node:crypto";
import { api } from "../../convex/_generated/api";
import { DEMO, type Bank, type Visitor } from "./bank";
import { as, call, post, wireCents, type Kind } from "./wireCalls";

/** Who may read a canary: its owner, staff, or nobody. */
export type Audience = "owner" | "staff" | "nobody";
export const canaries = new Map<string, Audience>();

/** Creates a marked value that the audience may read. */
function canary(name: string, audience: Audience): string {
  const text = `Zq${name}Canary`;
  canaries.set(text, audience);
  return text;
}
/** Marks a number, for fields where letters are refused. */
function digits(text: string, audience: Audience): string {
  canaries.set(text, audience);
  return text;
}

/** The people who act, and all responses they got. */
export interface Scene {
  readonly bank: Bank;
  readonly root: Visitor;
  readonly maya: Visitor;
  readonly answers: string[];
}

async function send(
  { bank, answers }: Scene,
  kind: Kind,
  functionPath: string,
  args: object,
  who?: Visitor,
): Promise<void> {
  const headers = who === undefined ? {} : as(who);
  answers.push((await post(bank, kind, call(functionPath, args), headers)).text);
}

const application = () => ({
  firstName: canary("FirstName", "staff"),
  lastName: canary("LastName", "staff"),
  dateOfBirth: "1971-02-03",
  nationality: canary("Nationality", "staff"),
  maritalStatus: "Single",
  street: canary("Street", "staff"),
  city: canary("City", "staff"),
  state: canary("State", "staff"),
  country: "PT",
  postalCode: canary("Postal", "staff"),
  phoneNumber: digits("5557719101", "staff"),
  alternativeEmail: `${canary("Alternative", "staff").toLowerCase()}@mail.example`,
  emergencyName: canary("Emergency", "staff"),
  emergencyRelationship: canary("Relationship", "staff"),
  emergencyPhone: digits("5557719102", "staff"),
  idCardType: "Passport",
  idCardNumber: canary("IdNumber", "staff"),
});

/** Sign-up, sign-in, the contact form, and malformed requests. */
export async function strangers(scene: Scene): Promise<void> {
  const { bank } = scene;
  const email = `${canary("Applicant", "staff").toLowerCase()}@mail.example`;
  const password = canary("Password", "nobody");
  const signUp = { flow: "signUp", email, password, application: application() };
  await send(scene, "action", "auth:signIn", { provider: "password", params: signUp });
  for (const given of [canary("WrongPassword", "nobody"), password]) {
    const params = { flow: "signIn", email, password: given };
    await send(scene, "action", "auth:signIn", { provider: "password", params });
  }
  const bad = { flow: canary("Flow", "nobody"), email: canary("NoEmail", "nobody"), password };
  await send(scene, "action", "auth:signIn", { provider: "password", params: bad });
  await send(scene, "action", "auth:signIn", { refreshToken: canary("Refresh", "nobody") });
  await send(scene, "action", "auth:signIn", { calledBy: canary("CalledBy", "nobody") });
  await send(scene, "mutation", "contact:send", {
    name: canary("ContactName", "staff"),
    email: `${canary("Contact", "staff").toLowerCase()}@mail.example`,
    phone: digits("5557719103", "staff"),
    subject: "general",
    message: canary("Message", "staff"),
    preferredContact: "email",
  });
  await send(scene, "query", "auth:isAuthenticated", { x: canary("ExtraField", "nobody") });
  await post(bank, "query", "{}", { authorization: `Bearer ${canary("Token", "nobody")}` });
  await post(bank, "query", "{}", { authorization: `Convex ${canary("Key", "nobody")}` });
  await fetch(`${bank.origin}/${canary("Address", "nobody")}?${canary("Search", "nobody")}=1`);
  await post(bank, "query", `{"${canary("Broken", "nobody")}`);
}

/** Transfers, bills, profile, codes. */
export async function members(scene: Scene): Promise<void> {
  const { maya } = scene;
  const external = {
    fromAccount: "Checking",
    toBank: "Alder & Finch Bank",
    routingNumber: "990010139",
    accountNumber: digits("77719104771910", "nobody"),
    accountName: canary("Holder", "owner"),
    amountCents: wireCents(100n),
    reference: canary("ExternalReference", "owner"),
    requestKey: canary("RequestKey", "nobody"),
  };
  await send(scene, "mutation", "transfers:startExternal", external, maya);
  await send(scene, "mutation", "otp:verifyLogin", { code: canary("Code", "nobody") }, maya);
  await send(
    scene,
    "mutation",
    "transfers:submit",
    {
      transferType: "international",
      fromAccount: "Checking",
      recipientName: canary("Recipient", "owner"),
      bankName: canary("BankName", "owner"),
      swiftCode: "DEUTDEFF",
      accountNumber: digits("77719105771910", "nobody"),
      iban: canary("Iban", "nobody").toUpperCase(),
      country: "DE",
      currency: "EUR",
      amountCents: wireCents(100n),
      reference: canary("Reference", "owner"),
      requestKey: randomUUID(),
    },
    maya,
  );
  await send(
    scene,
    "mutation",
    "billPayments:schedule",
    {
      fromAccount: "Checking",
      provider: "electric",
      accountNumber: digits("77719106771910", "nobody"),
      amountCents: wireCents(100n),
      scheduleDate: "2099-01-01",
      memo: canary("Memo", "owner"),
      requestKey: randomUUID(),
    },
    maya,
  );
  const address = { street: canary("NewStreet", "owner"), city: "x", state: "x", postalCode: "1" };
  const contact = { phone: "5557719107", address };
  await send(scene, "mutation", "profile:updateContact", contact, maya);
  const change = {
    currentPassword: canary("CurrentPassword", "nobody"),
    newPassword: canary("NewPassword", "nobody"),
  };
  await send(scene, "action", "profile:changePassword", change, maya);
  await send(scene, "mutation", "cards:verifyCode", { cardId: canary("Card", "nobody") }, maya);
}

/** What administrators write about Vera and Lena, who are not among the readers tested below. */
export async function staff(scene: Scene): Promise<void> {
  const { root } = scene;
  const vera = await root.http.mutation(api.admin.users.findByEmail, { email: DEMO.vip });
  const lena = await root.http.mutation(api.admin.users.findByEmail, { email: DEMO.lena });
  if (vera === null || lena === null) throw new Error("the demo people are missing");
  const { userId } = vera;
  const cents = { availableCents: wireCents(0n), balanceCents: wireCents(0n) };
  const created = {
    name: canary("CreatedName", "staff"),
    email: `${canary("CreatedEmail", "staff").toLowerCase()}@mail.example`,
    phone: digits("5557719108", "staff"),
    role: "user",
    street: canary("CreatedStreet", "staff"),
    city: "x",
    state: "x",
    zipCode: "1",
    checking: cents,
    savings: cents,
    password: canary("CreatedPassword", "nobody"),
  };
  await send(scene, "action", "admin/users:create", created, root);
  const text = canary("Question", "staff");
  const asked = { userId: lena.userId, text };
  await send(scene, "mutation", "admin/registrations:requestInformation", asked, root);
  const reason = canary("RestrictionReason", "staff");
  await send(scene, "mutation", "admin/restrictions:set", { userId, reason }, root);
  const row = {
    accountType: "Checking",
    type: "credit",
    amountCents: wireCents(100n),
    description: canary("PostedText", "staff"),
    category: "Income",
    date: Date.now() - 1_000,
    status: "Completed",
  };
  const batch = { userId, rows: [row], updateBalance: true, requestKey: randomUUID() };
  await send(scene, "mutation", "admin/transactions:addMany", batch, root);
  const code = { code: canary("NewCode", "nobody") };
  await send(scene, "mutation", "admin/otpCodes:add", code, root);
}

/** The canaries in a text that its reader may not see. */
export const found = (text: string, isHidden: (audience: Audience) => boolean): string[] =>
  [...canaries]
    .filter(
      ([value, audience]) => isHidden(audience) && text.toLowerCase().includes(value.toLowerCase()),
    )
    .map(([value]) => value);
