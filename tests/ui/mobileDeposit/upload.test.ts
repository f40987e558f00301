import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useMobileDeposit } from "../../../src/features/mobileDeposit/useMobileDeposit";
import { forgetKept } from "../../../src/lib/kept";
import { fakeServer } from "../../support/convexReact";

vi.mock("convex/react", () => import("../../support/convexReact"));

const KEY = "__convexAuthJWT_test";

/** Records the token of each upload and what answers it. */
const uploads: { readonly token: string; readonly arrive: () => void }[] = [];

class FakeRequest extends EventTarget {
  readonly upload = new EventTarget();
  readonly status = 200;
  responseText = "";
  private token = "";
  open = () => undefined;
  setRequestHeader(name: string, value: string): void {
    if (name === "Authorization") this.token = value;
  }
  send(): void {
    const arrive = () => {
      this.responseText = JSON.stringify({ imageId: `image-${uploads.length}` });
      this.dispatchEvent(new Event("load"));
    };
    uploads.push({ token: this.token, arrive });
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.removeItem(KEY);
  fakeServer.calls = {};
  forgetKept();
});

test("each photo is sent with the session's newest token, also once the panel was left", async () => {
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  const submit = vi.fn(async () => null);
  fakeServer.calls = { "mobileDeposits:submit": submit };
  sessionStorage.setItem(KEY, "first");
  const { result, unmount } = renderHook(useMobileDeposit);
  const [front, back] = [new File(["f"], "front.png"), new File(["b"], "back.png")];
  let sent: Promise<boolean> = Promise.resolve(false);
  act(() => {
    sent = result.current.send({ toAccount: "Checking", amountCents: 100n, front, back });
  });
  await vi.waitFor(() => expect(uploads).toHaveLength(1));
  unmount();
  sessionStorage.setItem(KEY, "renewed");
  uploads[0]?.arrive();
  await vi.waitFor(() => expect(uploads).toHaveLength(2));
  uploads[1]?.arrive();
  expect(await sent).toBe(true);
  expect(uploads.map(({ token }) => token)).toEqual(["Bearer first", "Bearer renewed"]);
  expect(submit).toHaveBeenCalledOnce();
});
