import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { UserList } from "../../../src/features/adminUsers/UserList";
import { renderFeature } from "../../support/renderFeature";

test("a name in another direction leaves the number of accounts on its side", () => {
  const user = { _id: "u1", email: "mo@mail.example", status: "approved", accountCount: 2 };
  renderFeature(
    <UserList
      users={[{ ...user, name: "محمد العلي" }]}
      totalCount={1}
      isStale={false}
      status="Exhausted"
      onLoadMore={() => undefined}
      search=""
      onSearchChange={() => undefined}
      selectedId={null}
      onSelect={() => undefined}
    />,
  );
  expect(screen.getByText("محمد العلي").tagName).toBe("BDI");
  expect(screen.getByRole("button")).toHaveTextContent("محمد العلي, 2 accounts");
});
