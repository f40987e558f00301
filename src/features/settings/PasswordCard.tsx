import { api } from "#api";
import { PASSWORD_LENGTH_MIN } from "#shared/limits";
import { useAction } from "convex/react";
import { useState } from "react";
import { Card } from "../../components/ui/Card";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { useCommand } from "../../hooks/useCommand";
import { useOfflineReason } from "../../hooks/useConnection";
import { useViewer } from "../../lib/convexViewer";
import { PasswordForm } from "./PasswordForm";

/** The member's password. */
export function PasswordCard() {
  const viewer = useViewer();
  const change = useCommand(useAction(api.profile.changePassword), { fallback: "SAVE_FAILED" });
  const offlineReason = useOfflineReason("offlineChanges");
  const [status, setStatus] = useState<string | null>(null);
  return (
    <Card title="Password" className="no-print">
      <div className="grid gap-4">
        <StatusBanner>{status}</StatusBanner>
        <PasswordForm
          email={viewer?.email ?? ""}
          minLength={viewer?.passwordMinLength ?? PASSWORD_LENGTH_MIN}
          isBusy={change.isBusy}
          refusal={change.refusal}
          disabledReason={offlineReason}
          onEdit={() => {
            change.clear();
            setStatus(null);
          }}
          onSubmit={async (passwords) => {
            setStatus(null);
            const { isOk } = await change.run(passwords);
            if (isOk) setStatus("Password changed.");
            return isOk;
          }}
        />
      </div>
    </Card>
  );
}
