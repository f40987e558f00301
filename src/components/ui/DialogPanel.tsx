import { CSPProvider } from "@base-ui/react/csp-provider";
import { AlertDialog as BaseAlertDialog } from "@base-ui/react/alert-dialog";
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { CircleCheck, TriangleAlert, X } from "lucide-react";
import clsx from "clsx";
import { useRef } from "react";
import { IconButton } from "./Button";
import { ConnectionNote } from "./ConnectionNote";
import type { DialogPartProps } from "./Dialog";
import { firstTextField, startingPlace } from "./dialogFocus";
import { watchCut, watchRoom } from "./dialogRoom";

const ICONS = {
  warning: <TriangleAlert aria-hidden className="text-warn" />,
  success: <CircleCheck aria-hidden className="text-pos" />,
} as const;

/** What Dialog and AlertDialog show; in its own file so that the library loads when needed. */
export function DialogPanel({
  isAlert,
  isOpen,
  onClose,
  title,
  description,
  size = "md",
  footer,
  isBusy = false,
  finalFocus,
  icon,
  children,
}: DialogPartProps) {
  const Part = isAlert ? BaseAlertDialog : BaseDialog;
  const popup = useRef<HTMLDivElement>(null);
  const onOpenChange = (isNowOpen: boolean, { reason }: { reason: string }) => {
    // A press outside a form must not throw away what was typed.
    const isSlip = reason === "outside-press" && firstTextField(popup.current) !== null;
    if (!isNowOpen && !isBusy && !isSlip) onClose();
  };
  const hasHeading = icon !== undefined;
  const isCard = isAlert || size === "sm";
  return (
    <CSPProvider disableStyleElements>
      <Part.Root open={isOpen} onOpenChange={onOpenChange}>
        <Part.Portal>
          <Part.Backdrop
            data-backdrop
            className="fixed inset-0 z-50 bg-backdrop transition-opacity duration-180 data-ending-style:opacity-0 data-starting-style:opacity-0"
          />
          <Part.Viewport
            className={clsx(
              "fixed inset-0 z-50 grid place-items-center overflow-hidden",
              isCard ? "p-4" : "sm:p-4",
            )}
          >
            <Part.Popup
              ref={popup}
              // On touch, the keyboard would cover what the dialog says.
              initialFocus={(openedBy) =>
                openedBy === "touch" || (startingPlace(popup.current) ?? true)
              }
              {...(finalFocus === undefined ? {} : { finalFocus })}
              className={clsx(
                // With little height (a phone held sideways, 400 % zoom), all of it scrolls, not only what lies between.
                "relative flex max-h-full w-full flex-col overflow-hidden scroll-py-2 squeezed:overflow-y-auto border-line bg-raised shadow-popup outline-none",
                "transition-[opacity,transform] duration-180 ease-settle data-ending-style:translate-y-1 data-ending-style:opacity-0 data-starting-style:translate-y-1 data-starting-style:opacity-0",
                isCard
                  ? "max-w-[26rem] rounded-card border"
                  : "max-sm:h-full sm:rounded-card sm:border",
                !isCard && (size === "lg" ? "sm:max-w-[48rem]" : "sm:max-w-[30rem]"),
              )}
            >
              <div
                className={clsx(
                  "flex gap-3 p-5 pb-2 md:p-6 md:pb-2",
                  isAlert && hasHeading
                    ? "flex-col items-center text-center text-balance"
                    : "items-start text-pretty",
                )}
              >
                {icon !== undefined && (
                  <span
                    className={clsx(
                      "grid size-12 place-items-center rounded-pill [&>svg]:size-6",
                      icon === "warning" ? "bg-warn-soft" : "bg-pos-soft",
                    )}
                  >
                    {ICONS[icon]}
                  </span>
                )}
                <div className="min-w-0 flex-1">
                  <Part.Title className="text-card-title">{title}</Part.Title>
                  {description !== undefined && (
                    <Part.Description
                      ref={watchCut}
                      className={clsx(
                        "wrap-anywhere text-muted",
                        // The longest names and addresses would leave a form below them no room on a phone.
                        isAlert
                          ? "mt-1.5"
                          : "shade-more -m-1 mt-0.5 max-h-[max(36dvh,100dvh-22rem)] scroll-py-1 overflow-y-auto rounded-sm p-1 -outline-offset-2 [--surface:var(--raised)] squeezed:max-h-none",
                      )}
                      render={<div />}
                    >
                      {description}
                    </Part.Description>
                  )}
                </div>
                {!isAlert && (
                  <Part.Close render={<IconButton label="Close" size="sm" disabled={isBusy} />}>
                    <X aria-hidden />
                  </Part.Close>
                )}
              </div>
              <div
                ref={watchRoom}
                className={clsx(
                  // A focused field is not at its very edge, which would cut the ring; its own ring lies within.
                  "scrolled-edge min-h-0 flex-1 scroll-py-2 overflow-y-auto -outline-offset-2 squeezed:flex-none px-5 pt-1 pb-5 empty:pb-2 md:px-6 md:empty:pb-3",
                  isAlert && hasHeading && "text-center",
                )}
              >
                {children}
              </div>
              <ConnectionNote className="mx-5 mb-4 md:mx-6" isBusyDialog={isBusy} />
              {footer !== undefined && (
                <div className="flex flex-wrap justify-end gap-2 border-t border-line bg-raised px-5 py-4 max-sm:[&>*]:flex-auto md:px-6">
                  {footer}
                </div>
              )}
            </Part.Popup>
          </Part.Viewport>
        </Part.Portal>
      </Part.Root>
    </CSPProvider>
  );
}
