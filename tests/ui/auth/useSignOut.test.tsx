import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { useSignOut } from "../../../src/features/auth/useSignOut";
import { hasDraft, writeDraft } from "../../../src/lib/drafts";
import { renderWithBackend } from "../../support/renderWithBackend";

function SignOut() {
  const signOut = useSignOut();
  return <button onClick={() => void signOut()}>Sign out</button>;
}

test("no draft is left, not even of what was typed while the server was being told", async () => {
  writeDraft("bill", { amount: "12.50" });
  const { user } = renderWithBackend(<SignOut />, {
    isSignedIn: true,
    actions: {
      "auth:signOut": async () => {
        writeDraft("transfer", { amount: "25.00" });
        return null;
      },
    },
  });
  await user.click(screen.getByRole("button", { name: "Sign out" }));
  await waitFor(() => expect(sessionStorage.getItem("__convexAuthJWT_httpbanktest")).toBeNull());
  await waitFor(() => expect([hasDraft("bill"), hasDraft("transfer")]).toEqual([false, false]));
});
