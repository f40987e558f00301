import { createContext, use, useEffect } from "react";

/** Tells the section whether the tab inside it is waiting for an answer; does nothing without a section. */
export const SendingContext = createContext<(isSending: boolean) => void>(() => undefined);

/** Reports that the tab is sending, because the answer must find the tab that asked. */
export function useReportSending(isSending: boolean): void {
  const report = use(SendingContext);
  useEffect(() => {
    if (!isSending) return;
    report(true);
    return () => report(false);
  }, [isSending, report]);
}
