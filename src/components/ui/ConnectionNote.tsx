import { useConnectionNote } from "../../hooks/useConnectionNote";
import { StatusBanner } from "./StatusBanner";

/** Says beside the buttons of a form or dialog what becomes of a press without a connection. */
export function ConnectionNote({ className }: { className?: string }) {
  return (
    <StatusBanner tone="warning" {...(className === undefined ? {} : { className })}>
      {useConnectionNote()}
    </StatusBanner>
  );
}
