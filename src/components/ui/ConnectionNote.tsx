import { useConnectionNote } from "../../hooks/useConnectionNote";
import { StatusBanner } from "./StatusBanner";

/** Says beside the buttons of a form or dialog what becomes of a press without a connection. */
export function ConnectionNote({
  className,
  isBusyDialog = false,
}: {
  className?: string;
  /** It stands in a dialog that cannot be closed now. */
  isBusyDialog?: boolean;
}) {
  return (
    <StatusBanner tone="warning" {...(className === undefined ? {} : { className })}>
      {useConnectionNote(isBusyDialog)}
    </StatusBanner>
  );
}
