import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { CheckImage } from "../../../src/features/adminDeposits/CheckImage";
import { renderFeature } from "../../support/renderFeature";

const saveFile = vi.hoisted(() => vi.fn());
vi.mock("../../../src/lib/saveFile", () => ({ saveFile }));

const readyOf = (url: string) => {
  const file = new Blob(["..."], { type: "image/heic" });
  return { kind: "ready", url, file } as const;
};

test("a picture that the browser cannot draw is offered for download instead of an empty frame", async () => {
  const image = readyOf("blob:one");
  const { user, rerender } = renderFeature(<CheckImage side="Front of check" image={image} />);
  expect(screen.getByRole("button", { name: "Zoom front of check" })).toBeVisible();
  fireEvent.error(screen.getByRole("img", { name: "Front of check" }));
  expect(screen.getByText(/This browser cannot show the image/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Zoom front of check" })).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Download front of check" }));
  expect(saveFile).toHaveBeenCalledWith("front-of-check.heic", image.file);

  rerender(<CheckImage side="Front of check" image={readyOf("blob:two")} />);
  expect(screen.getByRole("img", { name: "Front of check" })).toBeVisible();
});

test("a picture that did not arrive can be asked for again", async () => {
  const tryAgain = vi.fn();
  const image = { kind: "failed", tryAgain } as const;
  const { user } = renderFeature(<CheckImage side="Back of check" image={image} />);
  expect(screen.getByText("This image could not be loaded.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Try again to load back of check" }));
  expect(tryAgain).toHaveBeenCalledOnce();
  expect(screen.getByRole("figure")).toHaveFocus();
});
