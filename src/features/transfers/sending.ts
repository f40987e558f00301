import { createContext, use, useEffect } from "react";

/** Tells the section whether the tab inside it waits for an answer; without a section nobody is told. */
export const SendingContext = createContext<(isSending: boolean) => void>(() => undefined);

/** Reports an operation of the tab, because its answer must find the tab that asked. */
export function useReportSending(isSending: boolean): void {
  const report = use(SendingContext);
  useEffect(() => {
    if (!isSending) return;
    report(true);
    return () => report(false);
  }, [isSending, report]);
}
