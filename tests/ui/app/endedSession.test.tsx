import { waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { BackendFrame } from "../../../src/app/BackendFrame";
import { renderFeature } from "../../support/renderFeature";

const { signOut, viewer } = vi.hoisted(() => ({
  signOut: vi.fn(async () => undefined),
  viewer: new Map<string, unknown>(),
}));

vi.mock("convex/react", () => ({
  useConvexAuth: () => ({ isAuthenticated: true, isLoading: false }),
  useQuery: () => viewer.get("now"),
  ConvexReactClient: class {},
}));
vi.mock("@convex-dev/auth/react", () => ({
  ConvexAuthProvider: ({ children }: { children: unknown }) => children,
  useAuthActions: () => ({ signOut }),
}));

test("a token whose session the server has ended is dropped; one not looked up yet is kept", async () => {
  const { rerender } = renderFeature(<BackendFrame />);
  viewer.set("now", { name: "Omar" });
  rerender(<BackendFrame />);
  expect(signOut).not.toHaveBeenCalled();
  viewer.set("now", null);
  rerender(<BackendFrame />);
  await waitFor(() => expect(signOut).toHaveBeenCalled());
});
