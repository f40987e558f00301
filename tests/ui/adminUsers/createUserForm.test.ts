import { expect, test } from "vitest";
import {
  CREATE_USER_DEFAULTS,
  judgeCreateUser,
  type CreateUserTexts,
} from "../../../src/features/adminUsers/createUserForm";

const TEXTS: CreateUserTexts = {
  ...CREATE_USER_DEFAULTS,
  name: "Ada Ode",
  email: "ada@demo.example",
  phone: "555 0100",
  password: "Wrenmoor-x-1",
  street: "1 Elm Street",
  city: "Dover",
  state: "DE",
  zipCode: "19901",
};

test("a complete form is the command of the server", () => {
  const { values, errors } = judgeCreateUser({ ...TEXTS, savingsBalance: "12.50" });
  expect(errors).toEqual({});
  expect(values).toMatchObject({
    name: "Ada Ode",
    savings: { availableCents: 0n, balanceCents: 1_250n },
  });
});

test.each([
  ["checkingAvailable", "Checking Available Balance"],
  ["checkingBalance", "Checking Current Balance"],
  ["savingsAvailable", "Savings Available Balance"],
  ["savingsBalance", "Savings Current Balance"],
] as const)("a wrong %s is refused at its own control, by its name", (control, name) => {
  const { errors } = judgeCreateUser({ ...TEXTS, [control]: "1.234" });
  expect(errors).toEqual({
    [control]: { type: "INVALID_AMOUNT", message: `${name}: Please enter a valid amount` },
  });
});

test("a text with a mark nobody sees is refused at its own control, by its name", () => {
  expect(judgeCreateUser({ ...TEXTS, street: "1 Elm\u200e Street" }).errors).toEqual({
    street: {
      type: "INVALID_TEXT",
      message: "Street Address: Please remove unusual characters or shorten the text",
    },
  });
});

test.each([
  ["password", "abc"],
  ["email", "no address"],
] as const)("how a %s has to look is for the server to say", (field, text) => {
  expect(judgeCreateUser({ ...TEXTS, [field]: text })).toMatchObject({
    errors: {},
    values: { [field]: text },
  });
});

test("a missing field is refused at its own control", () => {
  expect(judgeCreateUser({ ...TEXTS, zipCode: " " }).errors).toEqual({
    zipCode: { type: "FILL_REQUIRED_FIELDS", message: "ZIP Code is required" },
  });
});
