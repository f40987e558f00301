import { useRef, type ReactNode } from "react";
import { Button } from "./Button";

/** A button that opens the file chooser; choosing the same file again counts as a new choice. */
export function FilePickerButton({
  accept,
  onPick,
  isBusy,
  isDisabled,
  children,
}: {
  /** As the `accept` attribute. */
  accept: string;
  onPick: (file: File) => void;
  isBusy: boolean;
  isDisabled: boolean;
  children: ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        isBusy={isBusy}
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      >
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-hidden
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file !== undefined) onPick(file);
        }}
      />
    </>
  );
}
