import { useConnectionNote } from "../../hooks/useConnectionNote";
import { StatusBanner } from "./StatusBanner";

/** Says beside a form's or dialog's buttons what pressing one does without a connection. */
export function ConnectionNote({
  className,
  isBusyDialog = false,
}: {
  className?: string;
  /** It is in a dialog that cannot be closed now. */
  isBusyDialog?: boolean;
}) {
  return (
    <StatusBanner tone="warning" {...(className === undefined ? {} : { className })}>
      {useConnectionNote(isBusyDialog)}
    </StatusBanner>
  );
}
