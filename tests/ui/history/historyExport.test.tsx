import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { HistoryExport } from "../../../src/features/history/HistoryExport";
import { fakeServer } from "../../support/convexReact";
import { renderFeature } from "../../support/renderFeature";

vi.mock("convex/react", () => import("../../support/convexReact"));
vi.mock("../../../src/lib/saveFile", () => ({ saveFile: vi.fn() }));

test("a file that waits for another keeps the filters of its press", async () => {
  const wanted: unknown[] = [];
  let answerFirst = () => undefined as void;
  fakeServer.calls["accounts:listMine"] = async () => [];
  fakeServer.calls["transactions:history"] = async ({ text }) => {
    wanted.push(text);
    if (wanted.length === 1) await new Promise<void>((resolve) => (answerFirst = resolve));
    return { page: [], continueCursor: "end", isDone: true };
  };
  const { user, rerender } = renderFeature(<HistoryExport filters={{ text: "rent" }} />);
  await user.click(screen.getByRole("button", { name: "Download CSV" }));
  await user.click(screen.getByRole("button", { name: "Download OFX" }));
  rerender(<HistoryExport filters={{ text: "salary" }} />);
  answerFirst();
  await waitFor(() => expect(wanted).toEqual(["rent", "rent"]));
  await waitFor(() => expect(screen.getByRole("status")).toHaveTextContent("The file was saved."));
});
