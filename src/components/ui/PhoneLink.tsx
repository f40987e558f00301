import { INSTITUTION } from "#shared/institution";
import clsx from "clsx";
import { linkStyle } from "./TextLink";

/** The support number: callable on a phone, and never broken across lines. */
export function PhoneLink({ className = linkStyle }: { readonly className?: string }) {
  return (
    <a
      href={`tel:${INSTITUTION.supportPhone.replace(/\D/g, "")}`}
      className={clsx("whitespace-nowrap", className)}
    >
      {INSTITUTION.supportPhone}
    </a>
  );
}
