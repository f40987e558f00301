import { act, screen } from "@testing-library/react";
import { Route, Routes, useLocation } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { SignedInFrame } from "../../../src/app/SignedInFrame";
import { announce, currentAnnouncement } from "../../../src/lib/announce";
import { currentToasts, showToast } from "../../../src/lib/toasts";
import { PATIENCE } from "../../support/patience";
import { renderWithBackend } from "../../support/renderWithBackend";

const MAYA = {
  userId: "maya",
  email: "maya@demo.example",
  name: "Maya Ortiz",
  place: "member",
  home: "/dashboard",
  idleTimeoutMs: null,
};

/** Shows what the guard tells the sign-in page. */
function SignIn() {
  return <output>{JSON.stringify(useLocation().state)}</output>;
}

const APP = (
  <Routes>
    <Route element={<SignedInFrame />}>
      <Route path="/" element={<p>Balances</p>} />
    </Route>
    <Route path="/login" element={<SignIn />} />
  </Routes>
);

test("what was said to one person is not left for the next", async () => {
  const { answer } = renderWithBackend(APP, {
    isSignedIn: true,
    queries: { "viewer:get": MAYA },
    mutations: { "sessions:touch": async () => null },
  });
  await screen.findByText("Balances");
  act(() => showToast({ title: "Money received", body: "$12.34 from Omar Haddad." }));
  act(() => announce("Available balance is now $4,263.09"));
  expect(screen.getByText("Money received")).toBeVisible();
  await vi.waitFor(() => expect(currentAnnouncement()).toMatch(/^Available balance/), PATIENCE);
  answer("viewer:get", null);
  expect(JSON.parse((await screen.findByRole("status")).textContent)).toEqual({
    hasEnded: true,
    from: "/",
    userId: "maya",
  });
  expect(currentToasts()).toEqual([]);
  expect(currentAnnouncement()).toBe("");
});
