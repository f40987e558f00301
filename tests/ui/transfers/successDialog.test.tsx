import { act, createEvent, fireEvent, screen } from "@testing-library/react";
import { useRef } from "react";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { SuccessDialog } from "../../../src/features/transfers/external/SuccessDialog";
import { renderFeature } from "../../support/renderFeature";

const SHOWN_MS = 3_000;
const SENT = { amountCents: 2_500n, toLabel: "Dana Whitfield" };

function Success({ onClose }: { onClose: () => void }) {
  const line = useRef<HTMLDivElement>(null);
  return (
    <>
      <div ref={line} tabIndex={-1} />
      <SuccessDialog sent={SENT} onClose={onClose} finalFocus={line} />
    </>
  );
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** The open dialog, with the clock under the test's control. */
async function open() {
  const onClose = vi.fn();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  renderFeature(<Success onClose={onClose} />);
  await pass(0);
  return { dialog: screen.getByRole("dialog", { name: "Transfer successful" }), onClose };
}

/** A move of some distance; jsdom's events have none. */
function movePointer(to: Element): void {
  fireEvent(to, Object.defineProperty(createEvent.pointerMove(to), "movementX", { value: 1 }));
}

// Its own chunk, loaded before the clock stands still.
beforeAll(() => import("../../../src/components/ui/DialogPanel"));

test("is described by what was sent: the focus on its button would say its title only", async () => {
  const { dialog } = await open();
  expect(dialog).toHaveAccessibleDescription("$25.00 is on its way to Dana Whitfield.");
});

test("closes by itself after three seconds", async () => {
  const { onClose } = await open();
  await pass(SHOWN_MS - 1);
  expect(onClose).not.toHaveBeenCalled();
  await pass(1);
  expect(onClose).toHaveBeenCalledOnce();
});

test.each(["Tab", "Shift", "ArrowDown"])("stays once %s was pressed in it", async (key) => {
  const { onClose } = await open();
  fireEvent.keyDown(screen.getByRole("button", { name: "Close" }), { key });
  await pass(10 * SHOWN_MS);
  expect(onClose).not.toHaveBeenCalled();
});

test("stays while the pointer is on its title or button, and goes when it has left", async () => {
  const { dialog, onClose } = await open();
  for (const part of [screen.getByText("Transfer successful"), screen.getByRole("button")]) {
    movePointer(part);
    await pass(10 * SHOWN_MS);
  }
  expect(onClose).not.toHaveBeenCalled();
  movePointer(dialog.parentElement!);
  await pass(SHOWN_MS);
  expect(onClose).toHaveBeenCalledOnce();
});
