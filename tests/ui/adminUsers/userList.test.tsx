import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { UserList, type UserListProps } from "../../../src/features/adminUsers/UserList";
import { renderFeature } from "../../support/renderFeature";

const list = (props: Partial<UserListProps>) => (
  <UserList
    users={[]}
    totalCount={1}
    isStale={false}
    status="Exhausted"
    onLoadMore={() => undefined}
    search=""
    onSearchChange={() => undefined}
    selectedId={null}
    onSelect={() => undefined}
    {...props}
  />
);

test("a name in another direction leaves the number of accounts on its side", () => {
  const name = "محمد العلي";
  const user = {
    _id: "u1",
    email: "mo@mail.example",
    status: "approved",
    accountCount: 2,
    hasAnswered: false,
  };
  renderFeature(list({ users: [{ ...user, name }] }));
  expect(screen.getByText(name).tagName).toBe("BDI");
  expect(screen.getByRole("button")).toHaveTextContent(`${name}, 2 accounts`);
});

test("who has answered a request for information is marked beside the status", () => {
  const person = { name: "Lena", email: "lena@mail.example", status: "pending", accountCount: 0 };
  const users = [
    { ...person, _id: "u1", hasAnswered: true },
    { ...person, _id: "u2", hasAnswered: false },
  ];
  renderFeature(list({ users }));
  const [answered, other] = screen.getAllByRole("button");
  expect(answered).toHaveTextContent(/answered\s*pending$/);
  expect(other).not.toHaveTextContent("answered");
});

test("a search that found nobody can be cleared, and the focus stays at the search", async () => {
  const onSearchChange = vi.fn();
  const { user, rerender } = renderFeature(list({ search: "zzz", onSearchChange }));
  await user.click(screen.getByRole("button", { name: "Clear search" }));
  expect(onSearchChange).toHaveBeenCalledExactlyOnceWith("");
  rerender(list({}));
  expect(screen.getByRole("search")).toHaveFocus();
});

test("a person who leaves the list hands the focus to the next one", () => {
  const person = (name: string) => ({
    _id: name,
    name,
    email: `${name}@mail.example`,
    status: "pending",
    accountCount: 0,
    hasAnswered: false,
  });
  const { rerender } = renderFeature(list({ users: ["ada", "bo"].map(person) }));
  screen.getByRole("button", { name: /ada@/ }).focus();
  rerender(list({ users: [person("bo")] }));
  expect(screen.getByRole("button", { name: /bo@/ })).toHaveFocus();
  rerender(list({ users: [] }));
  expect(document.activeElement).toBe(document.querySelector("ul"));
});

test("the count stays until the rows of a new filter are there", () => {
  const user = {
    name: "Ada",
    email: "a@mail.example",
    status: "approved",
    accountCount: 2,
    hasAnswered: false,
  };
  const [one, other] = [
    { ...user, _id: "u1" },
    { ...user, _id: "u2" },
  ];
  const { rerender } = renderFeature(list({ users: [one, other], totalCount: 2 }));
  rerender(list({ users: [one, other], totalCount: 1, isStale: true }));
  expect(screen.getByRole("status")).toHaveTextContent("Showing 2 of 2 users");
  rerender(list({ users: [one], totalCount: 1 }));
  expect(screen.getByRole("status")).toHaveTextContent("Showing 1 of 1 user");
});
