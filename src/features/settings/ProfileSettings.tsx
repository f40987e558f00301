import { api } from "#api";
import { useMutation, useQuery } from "convex/react";
import { useState } from "react";
import { Card } from "../../components/ui/Card";
import { DefinitionList } from "../../components/ui/DefinitionList";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { TextLink } from "../../components/ui/TextLink";
import { useCommand } from "../../hooks/useCommand";
import { useOfflineReason } from "../../hooks/useConnection";
import { formatLongDate } from "../../lib/format";
import { PATHS } from "../../lib/paths";
import { ContactDetailsForm } from "./ContactDetailsForm";

/** Who the member is to the credit union, and the contact details they may change. */
export function ProfileSettings() {
  const profile = useQuery(api.profile.get, {});
  const update = useCommand(useMutation(api.profile.updateContact), { fallback: "SAVE_FAILED" });
  const offlineReason = useOfflineReason("offlineChanges");
  const [status, setStatus] = useState<string | null>(null);
  if (profile === undefined) {
    return (
      <Card title="Personal details">
        <SkeletonRows />
      </Card>
    );
  }
  return (
    <div className="grid gap-5">
      <Card
        title="Personal details"
        lead={
          <>
            To change your name or email, <TextLink to={PATHS.contact}>contact support</TextLink>.
          </>
        }
      >
        <DefinitionList
          items={[
            { term: "Name", value: profile.name },
            { term: "Email", value: profile.email },
            { term: "Member since", value: formatLongDate(profile.memberSince) },
          ]}
        />
      </Card>
      <Card title="Contact details" className="no-print">
        <div className="grid gap-4">
          <StatusBanner>{status}</StatusBanner>
          <ContactDetailsForm
            details={profile}
            isBusy={update.isBusy}
            message={update.refusal?.message}
            disabledReason={offlineReason}
            onEdit={() => {
              update.clear();
              setStatus(null);
            }}
            onSubmit={async (command) => {
              setStatus(null);
              const { isOk } = await update.run(command);
              if (isOk) setStatus("Contact details saved.");
              return isOk;
            }}
          />
        </div>
      </Card>
    </div>
  );
}
