/** What a form submits and which refusal it shows, while its rules load slowly or not at all. */
import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { useRuledForm } from "../../../src/hooks/useRuledForm";
import type { Refusal } from "../../../src/lib/errorText";

type Texts = { readonly amount: string };
const INITIAL: Texts = { amount: "" };

/** Rules that refuse an empty amount. */
const RULES = {
  judge: (texts: Texts) =>
    texts.amount === ""
      ? {
          success: false as const,
          error: { issues: [{ message: MESSAGES.FILL_ALL_FIELDS, path: ["root"] }] },
        }
      : { success: true as const, data: texts },
};

function render(loadRules: () => Promise<typeof RULES>, serverRefusal: Refusal | null = null) {
  return renderHook(() =>
    useRuledForm({
      draftKey: "form",
      initial: INITIAL,
      loadRules,
      schemaOf: ({ judge }) => ({ safeParse: (texts) => judge(texts as Texts) }),
      fallback: "TRANSFER_FAILED",
      serverRefusal,
    }),
  ).result;
}

test("what is typed after the submission is not part of it", async () => {
  let arrive: (rules: typeof RULES) => void = () => undefined;
  const form = render(() => new Promise((resolve) => (arrive = resolve)));
  act(() => form.current.set({ amount: "25" }));
  let submitted: Promise<Texts | null> = Promise.resolve(null);
  act(() => void (submitted = form.current.submit()));
  act(() => form.current.set({ amount: "250" }));
  await act(async () => arrive(RULES));
  expect(await submitted).toEqual({ amount: "25" });
  expect(form.current.values).toEqual({ amount: "250" });
});

test("rules that did not arrive refuse the submission, and are requested again by the next one", async () => {
  const loadRules = vi.fn(async () => RULES).mockRejectedValueOnce(new Error("offline"));
  const form = render(loadRules);
  await act(async () => expect(await form.current.submit()).toBeNull());
  expect(form.current.refusal?.message).toBe(MESSAGES.TRANSFER_FAILED);
  act(() => form.current.set({ amount: "25" }));
  await act(async () => expect(await form.current.submit()).toEqual({ amount: "25" }));
});

test("the form's own refusal is newer than the server's", async () => {
  const code = "INSUFFICIENT_FUNDS";
  const form = render(async () => RULES, { code, message: MESSAGES[code] });
  expect(form.current.alert.message).toBe(MESSAGES[code]);
  await act(async () => expect(await form.current.submit()).toBeNull());
  expect(form.current.alert.message).toBe(MESSAGES.FILL_ALL_FIELDS);
});

test("the rules are fetched by the first edit, once", () => {
  const loadRules = vi.fn(async () => RULES);
  const form = render(loadRules);
  expect(loadRules).not.toHaveBeenCalled();
  for (const amount of ["2", "25"]) act(() => form.current.set({ amount }));
  expect(loadRules).toHaveBeenCalledTimes(1);
});

test("that something is missing marks every blank field but the optional ones, and leads to the first", () => {
  const serverRefusal = { code: "FILL_ALL_FIELDS", message: MESSAGES.FILL_ALL_FIELDS } as const;
  const form = renderHook(() =>
    useRuledForm({
      draftKey: "form",
      initial: { memo: "", amount: "25", payee: " ", account: "" },
      loadRules: async () => RULES,
      schemaOf: ({ judge }) => ({ safeParse: (texts) => judge(texts as Texts) }),
      fallback: "TRANSFER_FAILED",
      optional: ["memo"],
      serverRefusal,
    }),
  ).result.current;
  const marked = (["memo", "amount", "payee", "account"] as const).filter(
    (name) => form.wire(name).isInvalid,
  );
  expect(marked).toEqual(["payee", "account"]);
  expect(form.alert.fieldId).toBe(form.wire("payee").id);
});
