import { screen } from "@testing-library/react";
import { lazy, Suspense } from "react";
import { Navigate, Route, Routes, useLocation } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { appError, MESSAGES } from "../../../convex/shared/errors";
import type { LoginState } from "../../../src/app/loginState";
import { LoginRoute } from "../../../src/app/routes/LoginRoute";
import { PendingApprovalRoute } from "../../../src/app/routes/PendingApprovalRoute";
import { renderWithBackend } from "../../support/renderWithBackend";

const FROM = "/transactions?q=rent";

function Address() {
  const { pathname, search } = useLocation();
  return <p>At {pathname + search}</p>;
}

/** Sign-in after Maya's session ended, such as while she searched. */
function appAfter(from = FROM) {
  const state: LoginState = { hasEnded: true, from, userId: "maya" };
  return (
    <Routes>
      <Route path="/" element={<Navigate to="/login" replace state={state} />} />
      <Route path="/login" element={<LoginRoute />} />
      <Route path="*" element={<Address />} />
    </Routes>
  );
}

test.each([
  ["the same person returns to where they were", "maya", "member", FROM, FROM],
  ["another one comes to their own home", "omar", "member", FROM, "/dashboard"],
  ["an administrator comes to the back office", "root", "admin", FROM, "/admin"],
  ["an administrator returns to a page of it", "maya", "admin", "/admin/audit", "/admin/audit"],
  ["who is none any more comes home", "maya", "member", "/admin/audit", "/dashboard"],
  ["nobody is led to another site", "maya", "member", "//evil.example", "/dashboard"],
])("after a session that ended, %s", async (_, userId, place, from, address) => {
  const home = place === "admin" ? "/admin" : "/dashboard";
  const viewer = { userId, email: `${userId}@demo.example`, name: userId, place: "otp", home };
  const { user, answer } = renderWithBackend(appAfter(from), {
    isSignedIn: true,
    queries: { "viewer:get": viewer },
    mutations: { "otp:verifyLogin": async () => ({ ok: true, home }) },
  });
  await user.type(await screen.findByLabelText("Verification code"), "204816");
  await user.click(screen.getByRole("button", { name: "Verify OTP" }));
  answer("viewer:get", { ...viewer, place });
  expect(await screen.findByText(`At ${address}`)).toBeVisible();
});

test("until the files of the next page have arrived, the page says that it loads", async () => {
  const Home = lazy(() => new Promise<never>(() => undefined));
  const viewer = { userId: "maya", email: "maya@demo.example", name: "Maya", home: "/dashboard" };
  const { user, answer } = renderWithBackend(
    <Suspense fallback={<div />}>
      <Routes>
        <Route path="/" element={<LoginRoute />} />
        <Route path="/dashboard" element={<Home />} />
      </Routes>
    </Suspense>,
    {
      isSignedIn: true,
      queries: { "viewer:get": { ...viewer, place: "otp" } },
      mutations: { "otp:verifyLogin": async () => ({ ok: true, home: "/dashboard" }) },
    },
  );
  await user.type(await screen.findByLabelText("Verification code"), "204816");
  await user.click(screen.getByRole("button", { name: "Verify OTP" }));
  answer("viewer:get", { ...viewer, place: "member" });
  expect(await screen.findByRole("status")).toHaveTextContent("Loading your account");
  expect(screen.queryByLabelText("Verification code")).toBeNull();
});

test("who comes by themselves is told of no ended session, and one sentence whatever fails", async () => {
  const signIn = vi.fn(async () => Promise.reject(new Error("Server Error")));
  const { user } = renderWithBackend(<LoginRoute />, {
    isSignedIn: true,
    queries: { "viewer:get": null },
    actions: { "auth:signIn": signIn },
  });
  await user.type(await screen.findByLabelText("Email"), "maya@demo.example");
  expect(screen.queryByText(/session has ended/)).toBeNull();
  await user.type(screen.getByLabelText("Password"), "secret{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent(MESSAGES.INVALID_CREDENTIALS);
  const params = { flow: "signIn", email: "maya@demo.example", password: "secret" };
  expect(signIn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ params }));
});

test("who is signed in already is offered the way home, and not led there", async () => {
  const viewer = { userId: "maya", email: "maya@demo.example", name: "Maya", place: "member" };
  renderWithBackend(appAfter(), {
    isSignedIn: true,
    queries: { "viewer:get": { ...viewer, home: "/dashboard" } },
  });
  const way = await screen.findByRole("link", { name: "Continue to your accounts" });
  expect(way).toHaveAttribute("href", "/dashboard");
});

test.each([
  ["a code", "otp", MESSAGES.OTP_FAILED],
  ["a new password", "mustChangePassword", MESSAGES.SAVE_FAILED],
])(
  "%s that fails for no reason it knows is answered by a sentence of its own",
  async (_, place, sentence) => {
    const viewer = { userId: "maya", email: "maya@demo.example", place, passwordMinLength: 6 };
    const fail = async () => Promise.reject(new Error("Server Error"));
    const { user } = renderWithBackend(<LoginRoute />, {
      isSignedIn: true,
      queries: { "viewer:get": viewer },
      mutations: { "otp:verifyLogin": fail },
      actions: { "profile:changePassword": fail },
    });
    if (place === "otp")
      await user.type(await screen.findByLabelText("Verification code"), "204816");
    else {
      await user.type(await screen.findByLabelText("Current Password"), "one-time");
      await user.type(screen.getByLabelText("New Password"), "of my own");
      await user.type(screen.getByLabelText("Confirm Password"), "of my own");
    }
    await user.keyboard("{Enter}");
    expect(await screen.findByText(sentence)).toBeVisible();
  },
);

test("the last wrong code leads back to the first step, which says why, and nothing says it again", async () => {
  const viewer = { userId: "maya", email: "maya@demo.example", name: "Maya", place: "otp" };
  const message = "Too many failed attempts. Please login again.";
  const signIn = vi.fn(async () => ({ tokens: { token: "a", refreshToken: "b" } }));
  signIn.mockRejectedValueOnce(appError("INVALID_CREDENTIALS"));
  const { user, answer } = renderWithBackend(<LoginRoute />, {
    isSignedIn: true,
    queries: { "viewer:get": viewer },
    mutations: { "otp:verifyLogin": async () => ({ ok: false, message, attemptsLeft: 0 }) },
    actions: { "auth:signIn": signIn, "auth:signOut": async () => null },
  });
  await user.type(await screen.findByLabelText("Verification code"), "204816");
  await user.click(screen.getByRole("button", { name: "Verify OTP" }));
  answer("viewer:get", null);
  await user.type(await screen.findByLabelText("Password"), "wrong");
  expect(screen.getByText(message)).toBeVisible();
  expect(screen.queryByText(/session has ended/)).toBeNull();
  await user.type(screen.getByLabelText("Email"), "maya@demo.example{Enter}");
  expect(await screen.findByText(MESSAGES.INVALID_CREDENTIALS)).toBeVisible();
  expect(screen.queryByText(/session has ended/)).toBeNull();
  await user.type(screen.getByLabelText("Password"), "secret{Enter}");
  answer("viewer:get", viewer);
  expect(await screen.findByLabelText("Verification code")).toBeValid();
  expect(screen.queryByText(message)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Back" }));
  answer("viewer:get", null);
  expect(await screen.findByLabelText("Password")).toBeValid();
  expect(screen.queryByText(message)).toBeNull();
});

test("a session that ends before anyone knows whose it is leaves the form ready for another try", async () => {
  const { user, answer } = renderWithBackend(appAfter(), {
    isSignedIn: true,
    queries: { "viewer:get": null },
    actions: { "auth:signIn": async () => ({ tokens: { token: "a", refreshToken: "b" } }) },
  });
  await user.type(await screen.findByLabelText("Email"), "maya@demo.example");
  await user.type(screen.getByLabelText("Password"), "secret{Enter}");
  expect(await screen.findByRole("button", { name: "Signing in..." })).toBeVisible();
  answer("viewer:get", undefined);
  answer("viewer:get", null);
  expect(await screen.findByRole("button", { name: "Sign In" })).toBeVisible();
  expect(screen.getByRole("alert")).toHaveTextContent(MESSAGES.INVALID_CREDENTIALS);
});

test.each([
  ["at the code", "otp", "Verify OTP"],
  ["at the new password", "mustChangePassword", "Choose a new password"],
])(
  "a session that ends %s leads back to step 1 with a word, and with the focus",
  async (_, place, step) => {
    const viewer = {
      userId: "maya",
      email: "maya@demo.example",
      name: "Maya",
      place,
      passwordMinLength: 6,
    };
    const { answer } = renderWithBackend(<LoginRoute />, {
      isSignedIn: true,
      queries: { "viewer:get": viewer },
    });
    expect(await screen.findByRole("heading", { name: step })).toBeVisible();
    answer("viewer:get", null);
    const heading = await screen.findByRole("heading", { name: "Welcome Back" });
    expect(heading).toHaveFocus();
    expect(heading).toHaveAccessibleDescription(/^Your session has ended/);
  },
);

test("why a new password was refused is not said to whoever signs in next", async () => {
  const viewerOf = (userId: string) => ({
    userId,
    email: `${userId}@demo.example`,
    name: userId,
    place: "mustChangePassword",
    passwordMinLength: 6,
  });
  const { user, answer } = renderWithBackend(<LoginRoute />, {
    isSignedIn: true,
    queries: { "viewer:get": viewerOf("maya") },
    actions: {
      "profile:changePassword": async () => {
        throw appError("CURRENT_PASSWORD_WRONG");
      },
      "auth:signIn": async () => ({ tokens: { token: "a", refreshToken: "b" } }),
    },
  });
  await user.type(await screen.findByLabelText("Current Password"), "one-time");
  await user.type(screen.getByLabelText("New Password"), "of my own");
  await user.type(screen.getByLabelText("Confirm Password"), "of my own{Enter}");
  expect(await screen.findByText(MESSAGES.CURRENT_PASSWORD_WRONG)).toBeVisible();
  answer("viewer:get", null);
  await user.type(await screen.findByLabelText("Email"), "omar@demo.example");
  await user.type(screen.getByLabelText("Password"), "secret{Enter}");
  answer("viewer:get", viewerOf("omar"));
  expect(await screen.findByLabelText("Current Password")).toBeValid();
  expect(screen.queryByText(MESSAGES.CURRENT_PASSWORD_WRONG)).toBeNull();
});

test("an applicant's new password leads to the page of their application", async () => {
  const viewer = { userId: "lena", email: "lena@demo.example", name: "Lena", passwordMinLength: 6 };
  const { user, answer } = renderWithBackend(
    <Routes>
      <Route path="/" element={<PendingApprovalRoute />} />
      <Route path="/login" element={<LoginRoute />} />
      <Route path="/pending-approval" element={<PendingApprovalRoute />} />
    </Routes>,
    {
      isSignedIn: true,
      queries: {
        "viewer:get": { ...viewer, place: "mustChangePassword", home: "/login" },
        "registrations:mine": { status: "pending", submittedAt: 0, infoRequest: null },
      },
      actions: { "profile:changePassword": async () => null },
    },
  );
  await user.type(await screen.findByLabelText("Current Password"), "one-time");
  await user.type(screen.getByLabelText("New Password"), "of my own");
  await user.type(screen.getByLabelText("Confirm Password"), "of my own{Enter}");
  answer("viewer:get", { ...viewer, place: "pending", home: "/pending-approval" });
  expect(await screen.findByRole("heading", { name: "Account Pending Approval" })).toBeVisible();
});

test("a new password leads home, also when the page was loaded anew before it", async () => {
  const viewer = { userId: "maya", email: "maya@demo.example", name: "Maya", home: "/dashboard" };
  const { user, answer } = renderWithBackend(appAfter(), {
    isSignedIn: true,
    queries: { "viewer:get": { ...viewer, place: "mustChangePassword", passwordMinLength: 6 } },
    actions: { "profile:changePassword": async () => null },
  });
  await user.type(await screen.findByLabelText("Current Password"), "one-time");
  await user.type(screen.getByLabelText("New Password"), "of my own");
  await user.type(screen.getByLabelText("Confirm Password"), "of my own{Enter}");
  answer("viewer:get", { ...viewer, place: "member" });
  expect(await screen.findByText(`At ${FROM}`)).toBeVisible();
});

test("going back from the code says nothing of an ended session or a failed sign-in", async () => {
  const viewer = { userId: "maya", email: "maya@demo.example", name: "Maya", place: "otp" };
  const { user, answer } = renderWithBackend(<LoginRoute />, {
    isSignedIn: true,
    queries: { "viewer:get": null },
    actions: {
      "auth:signIn": async () => ({ tokens: { token: "a", refreshToken: "b" } }),
      "auth:signOut": async () => null,
    },
  });
  await user.type(await screen.findByLabelText("Email"), viewer.email);
  await user.type(screen.getByLabelText("Password"), "secret{Enter}");
  answer("viewer:get", viewer);
  await user.click(await screen.findByRole("button", { name: "Back" }));
  answer("viewer:get", null);
  expect(await screen.findByRole("heading", { name: "Welcome Back" })).toHaveFocus();
  expect(screen.queryByText(/session has ended/)).toBeNull();
  expect(screen.queryByText(MESSAGES.INVALID_CREDENTIALS)).toBeNull();
  // The next session that ends by itself is spoken of.
  await user.type(screen.getByLabelText("Password"), "secret{Enter}");
  answer("viewer:get", viewer);
  expect(await screen.findByRole("heading", { name: "Verify OTP" })).toBeVisible();
  answer("viewer:get", null);
  expect(await screen.findByText(/session has ended/)).toBeVisible();
});

test("going back from a code that was there after a reload keeps the address", async () => {
  const viewer = { userId: "maya", email: "maya@demo.example", name: "Maya", place: "otp" };
  const { user, answer } = renderWithBackend(<LoginRoute />, {
    isSignedIn: true,
    queries: { "viewer:get": viewer },
    actions: { "auth:signOut": async () => null },
  });
  await user.click(await screen.findByRole("button", { name: "Back" }));
  answer("viewer:get", null);
  expect(await screen.findByLabelText("Email")).toHaveValue(viewer.email);
});
