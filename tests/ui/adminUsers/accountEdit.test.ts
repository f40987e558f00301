import { describe, expect, test } from "vitest";
import {
  changedFields,
  dirtyFields,
  editField,
  keepMyValues,
  startEdit,
  takeNewValues,
} from "../../../src/features/adminUsers/accountEdit";

const SEEN = {
  accountNumber: "3481029931",
  routingNumber: "021000021",
  balanceCents: 1_272_555n,
  availableCents: 1_248_055n,
};

describe("editing an account", () => {
  test("starts with the account's values as plain decimals", () => {
    expect(startEdit({ ...SEEN, balanceCents: 5n }).texts).toEqual({
      accountNumber: "3481029931",
      routingNumber: "021000021",
      balance: "0.05",
      available: "12480.55",
    });
  });

  test("knows which fields were typed in and which the server changed", () => {
    const edit = editField(startEdit(SEEN), "balance", "100.00");
    expect(dirtyFields(edit)).toEqual(["balance"]);
    expect(changedFields(edit, SEEN)).toEqual([]);
    expect(changedFields(edit, { ...SEEN, availableCents: 1n })).toEqual(["available"]);
  });

  test("new values drop what was typed", () => {
    const edit = takeNewValues({ ...SEEN, balanceCents: 900n });
    expect(edit.texts.balance).toBe("9.00");
    expect(dirtyFields(edit)).toEqual([]);
  });

  test("kept values stay typed while the other fields follow the server", () => {
    const typed = editField(startEdit(SEEN), "accountNumber", "9999999999");
    const now = { ...SEEN, balanceCents: 900n, availableCents: 900n };
    const kept = keepMyValues(typed, now);
    expect(kept.texts).toMatchObject({
      accountNumber: "9999999999",
      balance: "9.00",
      available: "9.00",
    });
    expect(kept.seen).toEqual(now);
    expect(changedFields(kept, now)).toEqual([]);
  });
});
