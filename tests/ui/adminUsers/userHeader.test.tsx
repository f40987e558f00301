/** The head of a person's page: what is a button, and what is in the menu. */
import { screen } from "@testing-library/react";
import { useLocation } from "react-router-dom";
import { expect, test, vi } from "vitest";
import type { UserDetailData } from "../../../src/features/adminUsers/userDetailData";
import { UserHeader } from "../../../src/features/adminUsers/UserHeader";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const LENA = {
  _id: "lena",
  name: "Lena Fischer",
  email: "lena@demo.example",
  role: "pending",
  status: "pending",
  createdAt: 0,
} as unknown as UserDetailData;

const acts = { onVerify: vi.fn(), onEditIdentity: vi.fn(), onCorrect: vi.fn() };

function Address() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

async function menu(onCorrect: (() => void) | null = acts.onCorrect) {
  const { user } = renderFeature(
    <>
      <UserHeader user={LENA} {...acts} onCorrect={onCorrect} done={null} />
      <Address />
    </>,
  );
  const openMenu = () => user.click(screen.getByRole("button", { name: "More for this user" }));
  await openMenu();
  return { user, openMenu, item: (name: string) => screen.getByRole("menuitem", { name }) };
}

test("the verification is a button, the forms and the audit log of this person are in the menu", async () => {
  const { user, openMenu, item } = await menu();
  await expectNoAxeViolations();
  await user.click(item("Change name or email"));
  expect(acts.onEditIdentity).toHaveBeenCalledOnce();
  // Where the focus returns to from the form.
  expect(screen.getByRole("button", { name: "More for this user" })).toHaveFocus();
  await openMenu();
  await user.click(item("Correct application"));
  expect(acts.onCorrect).toHaveBeenCalledOnce();
  await openMenu();
  await user.click(item("Audit log"));
  expect(screen.getByText("/admin/audit?person=lena")).toBeVisible();
  expect(acts.onVerify).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Verify User" }));
  expect(acts.onVerify).toHaveBeenCalledOnce();
});

test("people who never applied have no application to correct", async () => {
  await menu(null);
  expect(screen.getAllByRole("menuitem").map(({ textContent }) => textContent)).toEqual([
    "Change name or email",
    "Audit log",
  ]);
});
