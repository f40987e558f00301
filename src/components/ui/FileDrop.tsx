import { useCallback, useEffect, useRef, useState, type DragEvent } from "react";
import { Camera, ImageOff } from "lucide-react";
import clsx from "clsx";
import { Button } from "./Button";
import { Field, type FieldProps } from "./Field";

interface FileDropProps extends FieldProps {
  file: File | null;
  onFileChange: (file: File | null) => void;
  /** Opens the back camera on phones. */
  isCamera?: boolean;
  isDisabled?: boolean;
  /** Share uploaded, 0 to 1, while it is under way. */
  progress?: number | undefined;
}

/** An image field drawn as a tile: preview, Replace and Remove; files may be dropped on it. */
export function FileDrop({
  file,
  onFileChange,
  isCamera = false,
  isDisabled = false,
  progress,
  ...field
}: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    window.addEventListener("dragover", keepPage);
    window.addEventListener("drop", keepPage);
    return () => {
      window.removeEventListener("dragover", keepPage);
      window.removeEventListener("drop", keepPage);
    };
  }, []);
  const onDragOver = (event: DragEvent) => {
    // Left to the page, which refuses it.
    if (isDisabled) return;
    event.preventDefault();
    setIsOver(true);
  };
  const onDrop = (event: DragEvent) => {
    setIsOver(false);
    if (isDisabled) return;
    event.preventDefault();
    const dropped = event.dataTransfer.files[0];
    if (dropped) onFileChange(dropped);
  };
  return (
    <Field {...field}>
      {(wired) => (
        <div className="grid grid-cols-1 gap-2">
          <div
            onDragOver={onDragOver}
            onDragLeave={() => setIsOver(false)}
            onDrop={onDrop}
            className={clsx(
              "relative grid aspect-[16/9] place-items-center overflow-clip rounded-tile border border-dashed bg-sunken text-muted transition-colors",
              "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus",
              isOver ? "border-brand bg-brand-soft" : "border-control hover:border-muted",
              wired["aria-invalid"] && "border-neg!",
            )}
          >
            {file === null ? (
              <span aria-hidden className="grid place-items-center gap-1 p-3 text-center text-sm">
                <Camera className="size-6 text-brand-ink" />
                {isCamera ? "Take or choose a photo" : "Choose a file"}
              </span>
            ) : (
              <Preview file={file} />
            )}
            <input
              ref={input}
              type="file"
              accept="image/*"
              capture={isCamera ? "environment" : undefined}
              disabled={isDisabled}
              onChange={(event) => {
                const chosen = event.target.files?.[0];
                if (chosen) onFileChange(chosen);
                event.target.value = "";
              }}
              className="absolute inset-0 cursor-pointer opacity-0"
              {...wired}
            />
            {progress !== undefined && (
              <progress
                aria-label={`Uploading ${field.label.toLowerCase()}`}
                max={1}
                value={progress}
                // Over any photo, so it has its own track, and its own colors where the system chooses them.
                className={clsx(
                  "absolute bottom-3 left-3 h-2.5 w-[calc(100%-1.5rem)] appearance-none overflow-hidden rounded-pill",
                  "border border-control bg-surface forced-color-adjust-none [&::-webkit-progress-bar]:bg-surface",
                  "[&::-moz-progress-bar]:bg-brand [&::-webkit-progress-value]:bg-brand",
                )}
              />
            )}
          </div>
          {file !== null && (
            <div className="flex flex-wrap items-center justify-end gap-1">
              <span className="min-w-0 flex-1 basis-20 truncate text-[0.8125rem] text-muted">
                {file.name}
              </span>
              <Button
                variant="ghost"
                size="sm"
                disabled={isDisabled}
                aria-label={`Replace ${field.label.toLowerCase()}`}
                onClick={() => input.current?.click()}
              >
                Replace
              </Button>
              <Button
                variant="dangerGhost"
                size="sm"
                className="-mr-3 forced-colors:mr-0"
                disabled={isDisabled}
                aria-label={`Remove ${field.label.toLowerCase()}`}
                onClick={() => {
                  onFileChange(null);
                  // This button is about to go.
                  input.current?.focus();
                }}
              >
                Remove
              </Button>
            </div>
          )}
        </div>
      )}
    </Field>
  );
}

/** A file dropped beside the tile would replace the page, and with it what was chosen. */
function keepPage(event: globalThis.DragEvent): void {
  const { dataTransfer } = event;
  if (event.defaultPrevented || dataTransfer?.types.includes("Files") !== true) return;
  event.preventDefault();
  dataTransfer.dropEffect = "none";
}

function Preview({ file }: { file: File }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file);
      image.src = url;
      // The one before it may have been hidden.
      image.hidden = false;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  return (
    <>
      <img
        ref={show}
        alt=""
        // The browser's own icon for a broken picture is not of this design.
        onError={({ currentTarget }) => (currentTarget.hidden = true)}
        className="peer absolute inset-0 size-full object-cover"
      />
      <ImageOff aria-hidden className="hidden size-6 peer-[[hidden]]:block" />
    </>
  );
}
