import type { ReactNode } from "react";
import { Hourglass } from "lucide-react";
import { TEXTS } from "#shared/texts";
import { SupportContact } from "../../components/bank/SupportContact";
import { Card } from "../../components/ui/Card";
import { PageHeading } from "../../components/ui/PageHeading";

const NEXT_STEPS = [
  {
    title: "We check your application",
    text: "Our team compares your details with the identification document you named.",
  },
  {
    title: "We may ask for more",
    text: "If something is missing, a question will appear on this page and in your inbox.",
  },
  {
    title: "You sign in",
    text: "Once approved, sign in with your password and a one-time code. Your accounts are ready.",
  },
] as const;

/** Spec section 2 "Pending approval page". `children` come before the next steps. */
export function PendingApproval({
  submittedText,
  children,
}: {
  /** "Submitted on ...", when it is known who is looking. */
  submittedText?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <div className="grid gap-5">
      <div className="mb-2 grid justify-items-start gap-3">
        <span
          aria-hidden
          className="grid size-14 place-items-center rounded-pill bg-warn-soft text-warn"
        >
          <Hourglass className="size-7" />
        </span>
        <PageHeading title={TEXTS.pendingApprovalTitle} />
        <p className="text-base text-muted">
          {TEXTS.pendingApprovalTime} {TEXTS.pendingApprovalEmail}
        </p>
        {submittedText !== undefined && (
          <p className="text-sm wrap-anywhere text-muted">{submittedText}</p>
        )}
      </div>
      {children}
      <Card title="Next steps">
        <ol className="grid gap-5">
          {NEXT_STEPS.map((step, index) => (
            <li key={step.title} className="flex gap-4">
              <span
                aria-hidden
                className="num grid size-8 shrink-0 place-items-center rounded-pill bg-brand-soft font-semibold text-brand-ink"
              >
                {index + 1}
              </span>
              <div>
                <p className="font-semibold">{step.title}</p>
                <p className="text-muted">{step.text}</p>
              </div>
            </li>
          ))}
        </ol>
      </Card>
      <Card title="Questions?">
        <SupportContact />
      </Card>
    </div>
  );
}
