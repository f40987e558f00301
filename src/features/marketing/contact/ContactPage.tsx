import { Clock, Mail, MessageCircle, Phone, Reply, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { INSTITUTION } from "#shared/institution";
import { Card } from "../../../components/ui/Card";
import { PhoneLink } from "../../../components/ui/PhoneLink";
import { MailLink } from "../../../components/ui/TextLink";
import { PageHero } from "../PageHero";
import { ContactForm } from "./ContactForm";

/** Without scripts a note below the form gives the support address. */
export function ContactPage() {
  return (
    <>
      <PageHero
        title="Contact"
        heading="Ask us anything"
        lead="A question about an account, a loan or this site: a person reads it and answers."
      />
      <div className="mx-auto grid max-w-public grid-cols-1 gap-5 px-4 py-10 md:px-6 md:py-14 lg:grid-cols-[minmax(0,1.8fr)_minmax(0,1fr)] lg:items-start">
        <Card title="Write to us">
          <ContactForm />
          <noscript>
            <p className="mt-5 text-muted">
              This form needs JavaScript. Without it, please write to {INSTITUTION.supportEmail}.
            </p>
          </noscript>
        </Card>
        <Card title="Other ways to reach us">
          <ul className="grid grid-cols-1 gap-5">
            <Way icon={Mail} title="Email">
              <MailLink address={INSTITUTION.supportEmail} isStandalone />
            </Way>
            <Way icon={Phone} title="Phone">
              <PhoneLink className="inline-block rounded-sm py-0.5 underline-offset-4 hover:underline" />
            </Way>
            <Way icon={Clock} title="Support hours">
              {INSTITUTION.supportHours}
            </Way>
            <Way icon={MessageCircle} title="Live chat hours">
              {INSTITUTION.liveChatHours}
            </Way>
            <Way icon={Reply} title="Answers">
              We respond {INSTITUTION.responseTime}
            </Way>
          </ul>
        </Card>
      </div>
    </>
  );
}

interface WayProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children: ReactNode;
}

function Way({ icon: Icon, title, children }: WayProps) {
  return (
    <li className="flex flex-wrap gap-x-3.5 gap-y-2">
      <span className="grid size-10 shrink-0 place-items-center rounded-tile bg-brand-soft text-brand-ink">
        <Icon aria-hidden="true" size={18} />
      </span>
      <div className="min-w-[min(9rem,100%)] flex-1 wrap-anywhere">
        <h3 className="text-sm text-muted">{title}</h3>
        <p className="font-semibold">{children}</p>
      </div>
    </li>
  );
}
