import type { ReactNode } from "react";

interface FormFooterProps {
  /** Left of the buttons: what will happen, or why it cannot happen now. */
  readonly note: ReactNode;
  readonly children: ReactNode;
}

/** The line under a transfer form: a note and the buttons. */
export function FormFooter({ note, children }: FormFooterProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 border-t border-line pt-4">
      <p className="min-w-[min(12rem,100%)] flex-1 text-sm wrap-anywhere text-muted">{note}</p>
      <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:[&>*]:flex-auto">{children}</div>
    </div>
  );
}
