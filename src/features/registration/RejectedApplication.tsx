import { CircleX } from "lucide-react";
import { SupportContact } from "../../components/bank/SupportContact";
import { Card } from "../../components/ui/Card";
import { PageHeading } from "../../components/ui/PageHeading";

/** Why an application was declined or a membership ended, and whom to ask; never a silent refusal. */
export function RejectedApplication({
  isFormerMember,
  reason,
}: {
  isFormerMember: boolean;
  reason: string | undefined;
}) {
  return (
    <div className="grid gap-5">
      <div className="mb-2 grid justify-items-start gap-3">
        <span
          aria-hidden
          className="grid size-14 place-items-center rounded-pill bg-neg-soft text-neg"
        >
          <CircleX className="size-7" />
        </span>
        <PageHeading title={isFormerMember ? "Membership ended" : "Application not approved"} />
        <p className="text-base text-muted">
          {isFormerMember ? "Your membership has ended." : "We could not approve your application."}
        </p>
      </div>
      {reason !== undefined && (
        <Card title="Reason">
          <p className="max-w-[65ch] whitespace-pre-line wrap-anywhere">{reason}</p>
        </Card>
      )}
      <Card
        title="What you can do"
        lead={
          isFormerMember
            ? "If you think this is wrong, or have questions about your accounts, contact our support team."
            : "If you think this is wrong, or something has changed, our support team will take another look. You need not apply again."
        }
      >
        <SupportContact />
      </Card>
    </div>
  );
}
