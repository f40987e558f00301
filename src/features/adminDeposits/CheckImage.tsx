import { useState, type ReactNode } from "react";
import { Download, ImageOff, RotateCw, ZoomIn, ZoomOut } from "lucide-react";
import clsx from "clsx";
import { Button } from "../../components/ui/Button";
import { Dialog } from "../../components/ui/Dialog";
import { Skeleton } from "../../components/ui/Skeleton";
import { saveFile } from "../../lib/saveFile";
import type { DepositImageState } from "./useDepositImage";

const ZOOM_WIDTHS = ["w-full", "w-[150%]", "w-[200%]", "w-[300%]"] as const;
const ZOOM_PERCENT = [100, 150, 200, 300] as const;

/** "front-of-check.heic" */
const fileNameOf = (side: string, { type }: Blob): string =>
  `${side.toLowerCase().replaceAll(" ", "-")}.${type.split("/")[1] ?? "bin"}`;

/**
 * One side of a check, which also opens large. `side` is, for example, "Front of check". What this browser cannot draw
 * (a phone's HEIC photo, in most) can be downloaded.
 */
export function CheckImage({ side, image }: { side: string; image: DepositImageState }) {
  const [isZoomed, setIsZoomed] = useState(false);
  const [undrawnUrl, setUndrawnUrl] = useState<string | null>(null);
  const ready = image.kind === "ready" ? image : null;
  const isUndrawn = ready !== null && ready.url === undrawnUrl;
  return (
    <figure tabIndex={-1} className="grid content-start gap-2">
      <figcaption className="text-sm font-semibold">{side}</figcaption>
      <div className="grid aspect-[16/9] place-items-center overflow-hidden rounded-tile border border-line bg-sunken">
        {image.kind === "loading" && <Skeleton className="size-full" />}
        {image.kind === "failed" && <NoImage>This image could not be loaded.</NoImage>}
        {isUndrawn && (
          <NoImage>This browser cannot show the image. Download it to see it elsewhere.</NoImage>
        )}
        {ready !== null && !isUndrawn && (
          <img
            src={ready.url}
            alt={side}
            className="size-full object-contain"
            onError={() => setUndrawnUrl(ready.url)}
          />
        )}
      </div>
      {image.kind === "failed" && <TryAgain side={side} tryAgain={image.tryAgain} />}
      {ready !== null && isUndrawn && (
        <div>
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Download ${side.toLowerCase()}`}
            onClick={() => saveFile(fileNameOf(side, ready.file), ready.file)}
          >
            <Download aria-hidden className="size-4" />
            Download
          </Button>
        </div>
      )}
      {ready !== null && !isUndrawn && (
        <div>
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Zoom ${side.toLowerCase()}`}
            onClick={() => setIsZoomed(true)}
          >
            <ZoomIn aria-hidden className="size-4" />
            Zoom
          </Button>
          <ZoomDialog
            side={side}
            url={ready.url}
            isOpen={isZoomed}
            onClose={() => setIsZoomed(false)}
          />
        </div>
      )}
    </figure>
  );
}

function TryAgain({ side, tryAgain }: { side: string; tryAgain: () => void }) {
  return (
    <div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Try again to load ${side.toLowerCase()}`}
        onClick={({ currentTarget }) => {
          // The button is about to go, and with it the focus.
          currentTarget.closest("figure")?.focus();
          tryAgain();
        }}
      >
        <RotateCw aria-hidden className="size-4" />
        Try again
      </Button>
    </div>
  );
}

function NoImage({ children }: { children: ReactNode }) {
  return (
    <p className="grid place-items-center gap-1 p-3 text-center text-sm text-muted">
      <ImageOff aria-hidden className="size-6" />
      {children}
    </p>
  );
}

function ZoomDialog({
  side,
  url,
  isOpen,
  onClose,
}: {
  side: string;
  url: string;
  isOpen: boolean;
  onClose: () => void;
}) {
  const [level, setLevel] = useState(0);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={side}
      size="lg"
      footer={
        <>
          <p role="status" className="num mr-auto self-center text-sm text-muted">
            {ZOOM_PERCENT[level]}%
          </p>
          <Button variant="secondary" disabled={level === 0} onClick={() => setLevel(level - 1)}>
            <ZoomOut aria-hidden className="size-4" />
            Smaller
          </Button>
          <Button
            variant="secondary"
            disabled={level === ZOOM_WIDTHS.length - 1}
            onClick={() => setLevel(level + 1)}
          >
            <ZoomIn aria-hidden className="size-4" />
            Larger
          </Button>
        </>
      }
    >
      <div
        role="group"
        tabIndex={0}
        aria-label={`${side}, scrolls`}
        className="max-h-[60dvh] overflow-auto rounded-tile border border-line bg-sunken"
      >
        <img src={url} alt={side} className={clsx("max-w-none", ZOOM_WIDTHS[level])} />
      </div>
    </Dialog>
  );
}
