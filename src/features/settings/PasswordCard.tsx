import { PASSWORD_LENGTH_MIN } from "#shared/limits";
import { useState } from "react";
import { Card } from "../../components/ui/Card";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { useOfflineReason } from "../../hooks/useConnection";
import { useViewer } from "../../lib/convexViewer";
import { PasswordForm } from "./PasswordForm";
import { usePasswordChange } from "./usePasswordChange";

/** The member's password. */
export function PasswordCard() {
  const viewer = useViewer();
  const { change, isBusy, refusal, clear } = usePasswordChange();
  const offlineReason = useOfflineReason("offlineChanges");
  const [status, setStatus] = useState<string | null>(null);
  return (
    <Card title="Password" className="no-print">
      <div className="grid gap-4">
        <StatusBanner>{status}</StatusBanner>
        <PasswordForm
          email={viewer?.email ?? ""}
          minLength={viewer?.passwordMinLength ?? PASSWORD_LENGTH_MIN}
          isBusy={isBusy}
          refusal={refusal}
          disabledReason={offlineReason}
          onEdit={() => {
            clear();
            setStatus(null);
          }}
          onSubmit={async (passwords) => {
            setStatus(null);
            const isOk = await change(passwords);
            if (isOk) setStatus("Password changed.");
            return isOk;
          }}
        />
      </div>
    </Card>
  );
}
