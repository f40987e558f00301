import { act, screen } from "@testing-library/react";
import { useLocation, useNavigate } from "react-router-dom";
import { expect, test } from "vitest";
import { useAddressParams } from "../../../src/hooks/useAddressParams";
import { renderFeature } from "../../support/renderFeature";

const set = (name: string, value: string) => (now: URLSearchParams) => {
  const next = new URLSearchParams(now);
  next.set(name, value);
  return next;
};

function Filters() {
  const [params, change] = useAddressParams();
  const navigate = useNavigate();
  const { search } = useLocation();
  return (
    <>
      <p>{search}</p>
      <p>{`q is ${params.get("q") ?? "not set"}`}</p>
      <button
        onClick={() => {
          change(set("q", "ada"), { replace: true });
          change(set("status", "approved"));
        }}
      >
        Both
      </button>
      <button onClick={() => change(set("user", "u1"))}>One more</button>
      <button onClick={() => void navigate(-1)}>Back</button>
    </>
  );
}

test("changes made before the page is drawn again add up, and Back is followed", async () => {
  const { user } = renderFeature(<Filters />, "/admin");
  await user.click(screen.getByRole("button", { name: "Both" }));
  expect(screen.getByText("?q=ada&status=approved")).toBeVisible();
  expect(screen.getByText("q is ada")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "One more" }));
  expect(screen.getByText("?q=ada&status=approved&user=u1")).toBeVisible();
  await act(() => user.click(screen.getByRole("button", { name: "Back" })));
  await user.click(screen.getByRole("button", { name: "One more" }));
  expect(screen.getByText("?q=ada&status=approved&user=u1")).toBeVisible();
});
