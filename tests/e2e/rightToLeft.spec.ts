/** Names and words written from right to left do not displace what stands beside them. */
import type { Locator } from "@playwright/test";
import { api } from "../../convex/_generated/api";
import { adminClient, NEW_PERSON, userIdOf } from "../support/backOffice";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

const FIRST_NAME = "אברהם";
const PERSON = {
  ...NEW_PERSON,
  name: `${FIRST_NAME} יצחק הלוי מזרחי שטיינברג גולדשטיין הראשון`,
  // Digits on their own follow the direction of the words before them.
  email: "42avraham@mail.example",
};

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

/** Where the first occurrence of a text is drawn, cut off or not. */
const boxOf = (within: Locator, text: string): Promise<Box> =>
  within.evaluate((element, wanted) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const at = (node.nodeValue ?? "").indexOf(wanted);
      if (at === -1) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      const { left, right, top } = range.getBoundingClientRect();
      return { left, right, top };
    }
    throw new Error(`There is no ${wanted}`);
  }, text);

test(
  "a member's name that does not fit keeps its beginning",
  { tag: "@long" },
  async ({ server, signInAs }) => {
    const admin = await adminClient(server.url);
    await admin.action(api.admin.users.create, PERSON);
    const page = await signInAs(PERSON.email);
    const actions = page.getByRole("region", { name: "Quick Actions" });
    await actions.getByRole("button", { name: "Cards" }).click();
    await expect(actions.getByText(PERSON.name)).toHaveCount(2);
    await page.getByRole("button", { name: /^Account menu/ }).click();
    const names = page.locator(".truncate").filter({ hasText: PERSON.name });
    await expect(names, "in the navigation, its menu and on both cards").toHaveCount(4);
    for (const name of await names.all()) {
      const { left, right } = await boxOf(name, FIRST_NAME);
      const shown = await name.evaluate(
        (element) => element.getBoundingClientRect().toJSON() as Box,
      );
      expect(left).toBeGreaterThan(shown.left - 1);
      expect(right).toBeLessThan(shown.right + 1);
    }
  },
);

test(
  "an address stands in one piece beside a name",
  { tag: "@long" },
  async ({ server, signInAs }) => {
    const admin = await adminClient(server.url);
    await admin.action(api.admin.users.create, PERSON);
    const page = await signInAs(DEMO.admin);
    await page.getByRole("button", { name: new RegExp(PERSON.email) }).click();
    await page.getByRole("button", { name: "Verify User" }).click();
    const who = page.getByRole("dialog").getByText(`${PERSON.name}, ${PERSON.email}`);
    await expect(who).toBeVisible();
    const [digits, letters] = [await boxOf(who, "42"), await boxOf(who, "avraham@")];
    expect(Math.abs(letters.left - digits.right)).toBeLessThan(1);
  },
);

test(
  "amounts of the audit log stand in their own lines",
  { tag: "@long" },
  async ({ server, signInAs }) => {
    const admin = await adminClient(server.url);
    const row = {
      accountType: "Checking",
      category: "Other",
      status: "Completed",
      date: Date.now() - 1_000,
    } as const;
    await admin.mutation(api.admin.approvals.request, {
      change: {
        kind: "transactions.add",
        args: {
          userId: await userIdOf(admin, DEMO.omar),
          rows: [
            { ...row, type: "credit", amountCents: 120_000n, description: "משכורת" },
            { ...row, type: "debit", amountCents: 500n, description: "שכר דירה" },
          ],
          updateBalance: true,
          requestKey: crypto.randomUUID(),
        },
      },
    });
    const page = await signInAs(DEMO.admin);
    await page.goto(new URL("/admin/audit", page.url()).href);
    const lines = page.getByText("משכורת");
    await expect(lines).toBeVisible();
    const [words, amount] = [await boxOf(lines, "משכורת"), await boxOf(lines, "-$5.00")];
    expect(amount.top).toBeGreaterThan(words.top);
  },
);
