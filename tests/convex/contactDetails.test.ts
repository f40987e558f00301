/** A member's own contact details, wherever the record keeps them. */
import { beforeEach, describe, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { DEMO_APPLICANTS } from "../../convex/model/dev/demoPeople";
import { recordOf } from "../../convex/model/registrations";
import { newBackend, person, refusalOf, snapshot, type Backend } from "./support";

let t: Backend;

beforeEach(() => {
  t = newBackend();
});

const ADDRESS = { street: "9 Oak Way", city: "Troy", state: "NY", postalCode: "12180" };
const DETAILS = { phone: "(555) 010-0140", address: ADDRESS };

describe("contact details", () => {
  test("are read and changed in the format of an applicant's record", async () => {
    const ada = await person(t, "ada@bank.example", {
      name: "Ada Abel",
      contactDetails: {
        phoneNumber: "1",
        emergencyContact: { name: "Ben", relationship: "Brother", phone: "2" },
      },
    });
    expect(await ada.as.query(api.profile.get, {})).toMatchObject({ phone: "1" });
    await ada.as.mutation(api.profile.updateContact, {
      ...DETAILS,
      alternativeEmail: " Ada\u200b@Mail.example ",
    });
    expect(await ada.as.query(api.profile.get, {})).toMatchObject({
      name: "Ada Abel",
      phone: "(555) 010-0140",
      alternativeEmail: "ada@mail.example",
      address: ADDRESS,
      emergencyContact: { name: "Ben" },
    });
    // To the address that signs in, without what was changed.
    const [mail] = await t.run((ctx) => ctx.db.query("outbox").take(9));
    expect(mail).toMatchObject({ to: ada.email, subject: "Your contact details were changed" });
    expect(mail?.body).not.toMatch(/555\) 010-0140|Oak Way|mail\.example/);
    await ada.as.mutation(api.profile.updateContact, DETAILS);
    expect(await ada.as.query(api.profile.get, {})).not.toHaveProperty("alternativeEmail");
    const events = () => ada.as.query(api.profile.securityEvents, {});
    expect((await events()).map(({ kind }) => kind)).toEqual(["contactChanged", "contactChanged"]);
    for (let more = 1; more < 20; more++) {
      await ada.as.mutation(api.profile.updateContact, DETAILS);
    }
    expect(await events()).toHaveLength(20);
  });

  test("have an emergency contact, which stays unless another one is given", async () => {
    const ada = await person(t, "ada@bank.example");
    const emergencyContact = { name: " Ben Abel ", relationship: "Brother", phone: "2" };
    await ada.as.mutation(api.profile.updateContact, { ...DETAILS, emergencyContact });
    await ada.as.mutation(api.profile.updateContact, DETAILS);
    const kept = { ...emergencyContact, name: "Ben Abel" };
    expect(await ada.as.query(api.profile.get, {})).toMatchObject({ emergencyContact: kept });
    const before = await snapshot(t);
    for (const [wrong, code] of [
      [{ name: " " }, "FILL_REQUIRED_FIELDS"],
      [{ relationship: "" }, "FILL_REQUIRED_FIELDS"],
      [{ phone: "" }, "FILL_REQUIRED_FIELDS"],
      [{ name: "a\u0000b" }, "INVALID_TEXT"],
      [{ phone: "1".repeat(1000) }, "INVALID_TEXT"],
    ] as const) {
      const args = { ...DETAILS, emergencyContact: { ...kept, ...wrong } };
      expect(await refusalOf(ada.as.mutation(api.profile.updateContact, args))).toBe(code);
    }
    expect(await snapshot(t)).toBe(before);
  });

  test("are refused in the order of the form, and nothing changes", async () => {
    const ada = await person(t, "ada@bank.example");
    const before = await snapshot(t);
    const cases = [
      [{ phone: "", alternativeEmail: "x", address: ADDRESS }, "FILL_REQUIRED_FIELDS"],
      [{ phone: "1", address: { ...ADDRESS, city: " " } }, "FILL_REQUIRED_FIELDS"],
      [{ phone: "1\u0000", alternativeEmail: "x", address: ADDRESS }, "INVALID_EMAIL"],
      [{ phone: "1", alternativeEmail: "a\u202e@b.c", address: ADDRESS }, "INVALID_EMAIL"],
      [{ phone: "1", alternativeEmail: "a\uff1ab@x.com", address: ADDRESS }, "INVALID_EMAIL"],
      [{ phone: "1\u0000", address: ADDRESS }, "INVALID_TEXT"],
      [{ phone: "1", address: { ...ADDRESS, street: "x".repeat(500) } }, "INVALID_TEXT"],
    ] as const;
    for (const [args, code] of cases) {
      expect(await refusalOf(ada.as.mutation(api.profile.updateContact, args))).toBe(code);
    }
    expect(await snapshot(t)).toBe(before);
  });

  test("are changed where the record has them, and the rest of it stays", async () => {
    const { personalInfo, contactDetails, phone } = recordOf(DEMO_APPLICANTS[2]!.application);
    const applicant = { personalInfo, contactDetails, phone };
    const flat = { phone: "2", address: { street: "1", city: "2", state: "3", zipCode: "4" } };
    const lena = await person(t, "lena@bank.example", applicant);
    const max = await person(t, "max@bank.example", flat);
    const { zipCode: postalCode, ...address } = flat.address;
    const shown = () => Promise.all([lena, max].map(({ as }) => as.query(api.profile.get, {})));
    expect(await shown()).toMatchObject([
      { phone, address: personalInfo.address },
      { phone: "2", address: { ...address, postalCode } },
    ]);
    for (const { as } of [lena, max]) await as.mutation(api.profile.updateContact, DETAILS);
    expect(await shown()).toMatchObject([DETAILS, DETAILS]);
    const stored = await t.run((ctx) => ctx.db.query("users").take(2));
    expect(stored.map((user) => user.phone)).toEqual([DETAILS.phone, DETAILS.phone]);
    expect(stored[0]?.personalInfo).toEqual({
      ...personalInfo,
      address: { ...personalInfo.address, ...ADDRESS },
    });
    const { emergencyContact } = contactDetails;
    expect(stored[0]?.contactDetails).toMatchObject({ emergencyContact });
    const { postalCode: zipCode, ...others } = ADDRESS;
    expect(stored[1]?.address).toEqual({ ...others, zipCode });
  });
});
