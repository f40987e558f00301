/** A complete membership application, as an applicant types it. */
import type { Page } from "@playwright/test";

/** Who applies, and how the person signs in later. */
export const APPLICANT = {
  email: "ines.marchetti@mail.example",
  password: "harbor-lantern-58",
  firstName: "Ines",
} as const;

const TEXTS: Readonly<Record<string, string>> = {
  Password: APPLICANT.password,
  "Confirm Password": APPLICANT.password,
  "First Name": APPLICANT.firstName,
  "Last Name": "Marchetti",
  "Date of Birth": "1990-04-12",
  Nationality: "Italian",
  "Street Address": "14 Quay Street",
  City: "Portland",
  State: "Maine",
  "Postal Code": "04101",
  "Phone Number": "(555) 010-0142",
  "Contact Name": "Paolo Marchetti",
  Relationship: "Brother",
  "Contact Phone": "(555) 010-0143",
  "ID Number": "YA1234567",
};

/** Fills every required field of `/signup`; does not submit. */
export async function fillApplication(page: Page, email: string = APPLICANT.email): Promise<void> {
  for (const [label, text] of Object.entries({ Email: email, ...TEXTS })) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  await page.getByLabel("Marital Status").selectOption("Single");
  await page.getByLabel("ID Type").selectOption("Passport");
  await page.getByLabel("Country", { exact: true }).fill("Portug");
  await page.getByRole("option", { name: "Portugal" }).click();
}
