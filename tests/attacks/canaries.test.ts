/**
 * Privacy canaries: forty marked values go through every flow; each may be found where it belongs and
 * nowhere else: not in the log, not in answers to others, not in refusals, not in files beside the
 * database.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publicFunctions } from "../conformance/publicFunctions";
import { DEMO, enter, openBank, type Bank, type Visitor } from "./bank";
import { as, call, post, someId, wireArgs, wireCents, type Kind } from "./wireCalls";

const TIMEOUT_MS = 120_000;
const functions = await publicFunctions();

let bank: Bank;
let root: Visitor;
let maya: Visitor;
let omar: Visitor;

beforeAll(async () => {
  bank = await openBank();
  root = await enter(bank, DEMO.admin);
  maya = await enter(bank, DEMO.maya);
  omar = await enter(bank, DEMO.omar);
}, TIMEOUT_MS);

afterAll(() => bank.close());

/** Who may read a canary: its owner, staff, or nobody at all. */
type Audience = "owner" | "staff" | "nobody";
const canaries = new Map<string, Audience>();

/** A marked value that the audience may see. */
function canary(name: string, audience: Audience): string {
  const text = `Zq${name}Canary`;
  canaries.set(text, audience);
  return text;
}
/** Digits with a mark, where letters are refused. */
function digits(text: string, audience: Audience): string {
  canaries.set(text, audience);
  return text;
}

const answers: string[] = [];

async function send(kind: Kind, functionPath: string, args: object, who?: Visitor) {
  const headers = who === undefined ? {} : as(who);
  const { text } = await post(bank, kind, call(functionPath, args), headers);
  answers.push(text);
  return text;
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

async function strangers(): Promise<void> {
  const email = `${canary("Applicant", "staff").toLowerCase()}@mail.example`;
  const password = canary("Password", "nobody");
  const signUp = { flow: "signUp", email, password, application: application() };
  await send("action", "auth:signIn", { provider: "password", params: signUp });
  for (const given of [canary("WrongPassword", "nobody"), password]) {
    const params = { flow: "signIn", email, password: given };
    await send("action", "auth:signIn", { provider: "password", params });
  }
  const bad = { flow: canary("Flow", "nobody"), email: canary("NoEmail", "nobody"), password };
  await send("action", "auth:signIn", { provider: "password", params: bad });
  await send("action", "auth:signIn", { refreshToken: canary("Refresh", "nobody") });
  await send("action", "auth:signIn", { calledBy: canary("CalledBy", "nobody") });
  await send("mutation", "contact:send", {
    name: canary("ContactName", "staff"),
    email: `${canary("Contact", "staff").toLowerCase()}@mail.example`,
    phone: digits("5557719103", "staff"),
    subject: "general",
    message: canary("Message", "staff"),
    preferredContact: "email",
  });
  await send("query", "auth:isAuthenticated", { x: canary("ExtraField", "nobody") });
  await post(bank, "query", "{}", { authorization: `Bearer ${canary("Token", "nobody")}` });
  await post(bank, "query", "{}", { authorization: `Convex ${canary("Key", "nobody")}` });
  await fetch(`${bank.origin}/${canary("Address", "nobody")}?${canary("Search", "nobody")}=1`);
  await post(bank, "query", `{"${canary("Broken", "nobody")}`);
}

async function members(): Promise<void> {
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
  await send("mutation", "transfers:startExternal", external, maya);
  await send("mutation", "otp:verifyLogin", { code: canary("Code", "nobody") }, maya);
  await send(
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
  await send("mutation", "profile:updateContact", contact, maya);
  const change = {
    currentPassword: canary("CurrentPassword", "nobody"),
    newPassword: canary("NewPassword", "nobody"),
  };
  await send("action", "profile:changePassword", change, maya);
  await send("mutation", "cards:verifyCode", { cardId: canary("Card", "nobody") }, maya);
}

/** Everything that the person's queries answer, as one text. */
async function everythingFor(person: Visitor | undefined, ...guards: string[]): Promise<string> {
  const texts: string[] = [];
  for (const built of functions.filter(({ guard }) => guards.includes(guard ?? ""))) {
    if (built.kind !== "query") continue;
    const args: Record<string, unknown> = wireArgs(bank, built);
    if ("userId" in args) args.userId = someId(bank, "users");
    if ("paginationOpts" in args) args.paginationOpts = { numItems: 100, cursor: null };
    const headers = person === undefined ? {} : as(person);
    texts.push((await post(bank, "query", call(built.path, args), headers)).text);
  }
  return texts.join("\n");
}

const found = (text: string, isHidden: (audience: Audience) => boolean): string[] =>
  [...canaries]
    .filter(
      ([value, audience]) => isHidden(audience) && text.toLowerCase().includes(value.toLowerCase()),
    )
    .map(([value]) => value);

test("forty marked values are found where they belong and nowhere else", async () => {
  await strangers();
  await members();
  expect(canaries.size).toBeGreaterThanOrEqual(40);

  const log = bank.logLines.join("\n");
  expect(found(log, () => true)).toEqual([]);
  // A refusal repeats nothing of what was sent, and an answer nothing that belongs to nobody.
  const refusals = answers.filter((text) => text.includes('"status":"error"')).join("\n");
  expect(refusals).not.toBe("");
  expect(found(refusals, () => true)).toEqual([]);
  expect(found(answers.join("\n"), (audience) => audience === "nobody")).toEqual([]);

  const ofStrangers = await everythingFor(undefined, "public", "session", "member", "admin");
  expect(found(ofStrangers, () => true)).toEqual([]);
  const ofAnother = await everythingFor(omar, "public", "session", "member");
  expect(found(ofAnother, () => true)).toEqual([]);
  const ofOwner = await everythingFor(maya, "public", "session", "member");
  expect(found(ofOwner, (audience) => audience !== "owner")).toEqual([]);
  expect(found(ofOwner, (audience) => audience === "owner").length).toBeGreaterThan(3);
  // Audit log, outbox, inbox, lists: what staff see holds no secret of anybody.
  const ofStaff = await everythingFor(root, "admin");
  expect(found(ofStaff, (audience) => audience === "nobody")).toEqual([]);
  expect(found(ofStaff, (audience) => audience === "staff").length).toBeGreaterThan(3);
});

test("on the disk they lie in the database alone, and secrets not even there", () => {
  const files = readdirSync(bank.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const database = path.join(bank.dataDir, "db");
  const SECRETS = /Password|Code|Token|Key|Refresh|Flow|CalledBy|ExtraField|Broken|Search|Address/;
  for (const file of files) {
    const text = readFileSync(file, "latin1");
    const isElsewhere = !file.startsWith(database);
    const wrong = found(text, () => true).filter((value) => isElsewhere || SECRETS.test(value));
    expect([file, wrong.filter((value) => !value.includes("RequestKey"))]).toEqual([file, []]);
  }
});
