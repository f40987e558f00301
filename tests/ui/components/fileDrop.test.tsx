import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { FileDrop } from "../../../src/components/ui/FileDrop";
import { renderFeature } from "../../support/renderFeature";

beforeEach(() => {
  URL.createObjectURL = () => "blob:x";
  URL.revokeObjectURL = () => undefined;
});

describe("FileDrop", () => {
  test("hands over the chosen image and offers to remove it", async () => {
    const onFileChange = vi.fn();
    const image = new File(["x"], "front.png", { type: "image/png" });
    const { user, rerender } = renderFeature(
      <FileDrop label="Front of check" file={null} onFileChange={onFileChange} />,
    );
    await user.upload(screen.getByLabelText("Front of check"), image);
    expect(onFileChange).toHaveBeenCalledWith(image);
    rerender(<FileDrop label="Front of check" file={image} onFileChange={onFileChange} />);
    await user.click(screen.getByRole("button", { name: "Remove front of check" }));
    expect(onFileChange).toHaveBeenLastCalledWith(null);
    rerender(<FileDrop label="Front of check" file={null} onFileChange={onFileChange} />);
    expect(screen.getByLabelText("Front of check")).toHaveFocus();
    // A browser reports no change where the field still holds the same file.
    expect(screen.getByLabelText("Front of check")).toHaveValue("");
  });

  test("takes no file, and does not invite one, while the photo is being sent", () => {
    const onFileChange = vi.fn();
    const image = new File(["x"], "front.png", { type: "image/png" });
    const drag = { dataTransfer: { types: ["Files"], files: [image] } };
    const tile = (isDisabled: boolean) => (
      <FileDrop label="Front" file={null} onFileChange={onFileChange} isDisabled={isDisabled} />
    );
    const { rerender } = renderFeature(tile(true));
    const place = screen.getByLabelText("Front").parentElement!;
    fireEvent.dragOver(place, drag);
    expect(place).not.toHaveClass("border-brand");
    expect(fireEvent.drop(place, drag)).toBe(false);
    expect(onFileChange).not.toHaveBeenCalled();
    rerender(tile(false));
    fireEvent.dragOver(place, drag);
    expect(place).toHaveClass("border-brand");
    fireEvent.drop(place, drag);
    expect(onFileChange).toHaveBeenCalledExactlyOnceWith(image);
  });

  test("shows a picture again that replaces one the browser could not draw", () => {
    const tileOf = (name: string) => (
      <FileDrop
        label="Front of check"
        file={new File(["x"], name)}
        onFileChange={() => undefined}
      />
    );
    const { container, rerender } = renderFeature(tileOf("front.heic"));
    const preview = () => container.querySelector("img")!;
    fireEvent.error(preview());
    expect(preview()).not.toBeVisible();
    rerender(tileOf("front.jpg"));
    expect(preview()).toBeVisible();
  });

  test("keeps the page when a file is dropped beside the tile", () => {
    const drop = (types: string[]) => fireEvent.drop(document.body, { dataTransfer: { types } });
    const { unmount } = renderFeature(
      <FileDrop label="Front of check" file={null} onFileChange={() => undefined} />,
    );
    expect(drop(["Files"])).toBe(false);
    // Text may still be dragged into fields.
    expect(drop(["text/plain"])).toBe(true);
    unmount();
    expect(drop(["Files"])).toBe(true);
  });
});
