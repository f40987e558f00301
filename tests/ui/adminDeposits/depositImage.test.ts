/** The picture that a reviewer sees is the deposit's own, however late the one before arrives. */
import { act, renderHook } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { useDepositImage } from "../../../src/features/adminDeposits/useDepositImage";

vi.mock("@convex-dev/auth/react", () => ({ useAuthToken: () => "token" }));

test("it is not the one of the deposit before", async () => {
  /** Answers the request for an image. */
  const answers = new Map<string, () => void>();
  const fetchImage = (address: string) =>
    new Promise((resolve) => {
      const name = address.split("/").at(-1) ?? "";
      const file = new Blob([], { type: `image/${name}` });
      answers.set(name, () => resolve({ ok: true, blob: async () => file }));
    });
  vi.stubGlobal("fetch", fetchImage);
  onTestFinished(() => void vi.unstubAllGlobals());
  URL.createObjectURL = (file) => `blob:${(file as Blob).type}`;
  URL.revokeObjectURL = () => undefined;
  const arrive = (name: string) => act(async () => answers.get(name)?.());

  const { result, rerender } = renderHook(({ id }) => useDepositImage(id), {
    initialProps: { id: "first" },
  });
  rerender({ id: "second" });
  await arrive("second");
  expect(result.current).toMatchObject({ url: "blob:image/second" });
  await arrive("first");
  expect(result.current).toMatchObject({ url: "blob:image/second" });
  rerender({ id: "third" });
  expect(result.current).toEqual({ kind: "loading" });
});
