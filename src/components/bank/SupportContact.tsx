import { INSTITUTION } from "#shared/institution";
import { Clock, Mail } from "lucide-react";
import clsx from "clsx";
import { MailLink } from "../ui/TextLink";

/** Support's address and hours, as in outcome dialogs and on the pending page. */
export function SupportContact({ className }: { className?: string }) {
  return (
    <ul className={clsx("grid gap-2 text-left", className)}>
      <li className="flex items-center gap-2.5">
        <Mail aria-hidden className="size-4.5 shrink-0 text-muted" />
        <MailLink address={INSTITUTION.supportEmail} isStandalone />
      </li>
      <li className="flex items-center gap-2.5 text-muted">
        <Clock aria-hidden className="size-4.5 shrink-0" />
        {INSTITUTION.supportHours}
      </li>
    </ul>
  );
}
