import { act, fireEvent, screen } from "@testing-library/react";
import { Route, Routes, useLocation } from "react-router-dom";
import { expect, onTestFinished, test, vi } from "vitest";
import { MEMBER_SESSION_LIFE_MS } from "../../../convex/shared/limits";
import { AdminOnly } from "../../../src/app/AdminOnly";
import { SignedInFrame } from "../../../src/app/SignedInFrame";
import { useDraft } from "../../../src/hooks/useDraft";
import { announce, currentAnnouncement } from "../../../src/lib/announce";
import { keptValues } from "../../../src/lib/kept";
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

const NO_NOTE = { text: "" };

/** A form that keeps what is typed. */
function Note() {
  const [{ text }, setNote] = useDraft("note", NO_NOTE);
  return (
    <input
      aria-label="Note"
      value={text}
      onChange={({ target }) => setNote({ text: target.value })}
    />
  );
}

const APP = (
  <Routes>
    <Route element={<SignedInFrame />}>
      <Route path="/" element={<Note />} />
    </Route>
    <Route path="/login" element={<SignIn />} />
  </Routes>
);

const SIGNED_IN = {
  isSignedIn: true,
  queries: { "viewer:get": MAYA },
  mutations: { "sessions:touch": async () => null },
};

test("what one person typed is there for them again, and for nobody else", async () => {
  const { user, unmount } = renderWithBackend(APP, SIGNED_IN);
  await user.type(await screen.findByLabelText("Note"), "Asked by phone");
  unmount();
  const { answer } = renderWithBackend(APP, SIGNED_IN);
  expect(await screen.findByLabelText("Note")).toHaveValue("Asked by phone");
  answer("viewer:get", { ...MAYA, userId: "omar", name: "Omar Haddad" });
  expect(await screen.findByRole("button", { name: /Omar Haddad/ })).toBeVisible();
  expect(screen.getByLabelText("Note")).toHaveValue("");
  expect(Object.keys(sessionStorage)).not.toContainEqual(expect.stringMatching(/^draft:/));
});

test("what was said to one person is not left for the next", async () => {
  const { answer } = renderWithBackend(APP, SIGNED_IN);
  await screen.findByLabelText("Note");
  act(() => showToast({ title: "Money received", body: "$12.34 from Omar Haddad." }));
  act(() => announce("Available balance is now $4,263.09"));
  keptValues().set("check", "photo");
  expect(await screen.findByText("Money received")).toBeVisible();
  await vi.waitFor(() => expect(currentAnnouncement()).toMatch(/^Available balance/), PATIENCE);
  answer("viewer:get", null);
  expect(JSON.parse((await screen.findByRole("status")).textContent)).toEqual({
    hasEnded: true,
    from: "/",
    userId: "maya",
  });
  expect(currentToasts()).toEqual([]);
  expect(currentAnnouncement()).toBe("");
  expect(keptValues().size).toBe(0);
});

test("who signs out is not told that the session has ended, nor led back", async () => {
  const { user, answer } = renderWithBackend(APP, SIGNED_IN);
  await user.click(await screen.findByRole("button", { name: /Maya Ortiz/ }));
  await user.click(await screen.findByRole("menuitem", { name: "Sign out" }));
  answer("viewer:get", null);
  expect((await screen.findByRole("status")).textContent).toBe("{}");
});

test("nothing of the bank is left on the page while the server is told that the time is over", async () => {
  const view = renderWithBackend(APP, {
    ...SIGNED_IN,
    queries: { "viewer:get": { ...MAYA, idleTimeoutMs: 60_000 } },
  });
  await view.user.type(await screen.findByLabelText("Note"), "Half");
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 120_000);
  onTestFinished(() => void vi.restoreAllMocks());
  fireEvent.keyDown(document.body);
  expect(screen.queryByLabelText("Note")).toBeNull();
  expect(screen.queryByText("Maya Ortiz")).toBeNull();
  view.answer("viewer:get", null);
  expect((await screen.findByRole("status")).textContent).toContain('"hasEnded":true,"from":"/"');
  expect(sessionStorage.getItem("draft:note")).toContain("Half");
});

test("without an idle limit, a page that slept through its session's whole life is empty when it wakes", async () => {
  renderWithBackend(APP, SIGNED_IN);
  await screen.findByLabelText("Note");
  const sleep = (ms: number) => {
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + ms);
    fireEvent(document, new Event("resume"));
  };
  onTestFinished(() => void vi.restoreAllMocks());
  sleep(MEMBER_SESSION_LIFE_MS - 600_000);
  expect(screen.getByLabelText("Note")).toBeVisible();
  sleep(600_000);
  expect(screen.queryByLabelText("Note")).toBeNull();
});

test.each([
  ["an admin", "admin", "Approvals"],
  ["a member", "member", "Credentials"],
])("a page for administrators shows %s (%s): %s", async (_who, place, shown) => {
  renderWithBackend(
    <Routes>
      <Route element={<SignedInFrame />}>
        <Route element={<AdminOnly />}>
          <Route path="/" element="Approvals" />
        </Route>
      </Route>
      <Route path="/login" element="Credentials" />
    </Routes>,
    { ...SIGNED_IN, queries: { "viewer:get": { ...MAYA, place } } },
  );
  expect(await screen.findByText(shown)).toBeVisible();
});
