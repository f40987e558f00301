/** What a reviewer reads of an application. */
import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { UserDetailData } from "../../../src/features/adminUsers/userDetailData";
import { VerificationFacts } from "../../../src/features/adminUsers/VerificationFacts";
import { renderFeature } from "../../support/renderFeature";

const LENA = {
  name: "Lena Fischer",
  email: "lena@demo.example",
  personalInfo: {
    firstName: "Lena",
    lastName: "Fischer",
    dateOfBirth: "2008-11-30",
    nationality: "Germany",
    maritalStatus: "Single",
    address: { street: "1 Elm Street", city: "Troy", state: "NY", postalCode: "12180" },
  },
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});

/** What stands under "Personal information", as "term: value". */
function personal(user: Partial<typeof LENA> = {}): string[] {
  renderFeature(<VerificationFacts user={{ ...LENA, ...user } as UserDetailData} />);
  const section = within(screen.getByRole("region", { name: "Personal information" }));
  const values = section.getAllByRole("definition");
  return section
    .getAllByRole("term")
    .map((term, index) => `${term.textContent}: ${values[index]?.textContent}`);
}

test.each([
  ["2026-11-30T04:59:59Z", "Nov 30, 2008 (17 years old)"],
  ["2026-11-30T05:00:00Z", "Nov 30, 2008 (18 years old)"],
  ["2009-12-01T00:00:00Z", "Nov 30, 2008 (1 year old)"],
])("says how old the person is in the credit union's time zone: at %s, %s", (now, text) => {
  vi.setSystemTime(now);
  expect(personal()).toContain(`Date of birth: ${text}`);
});

test("a name changed since stands beside that of the application", () => {
  expect(personal({ name: "Lena Weber" }).slice(0, 3)).toEqual([
    "Name: Lena Weber",
    "First name in the application: Lena",
    "Last name in the application: Fischer",
  ]);
});

test("a name that is still that of the application stands there once", () => {
  expect(personal().slice(0, 2)).toEqual(["First name: Lena", "Last name: Fischer"]);
});
