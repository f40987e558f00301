import { Clock, Mail, Phone, ShieldCheck } from "lucide-react";
import { Link } from "react-router-dom";
import { INSTITUTION } from "#shared/institution";
import { TEXTS } from "#shared/texts";
import { Wordmark } from "../ui/Mark";
import { PhoneLink } from "../ui/PhoneLink";
import { BandContours } from "./BandContours";
import { FOOTER_COLUMNS, LEGAL_LINKS, type PublicLink } from "./publicLinks";

const LINK_STYLE =
  "inline-block rounded-sm py-1 text-on-band-muted underline-offset-4 hover:text-on-band hover:underline";

/** The band that closes every public page. */
export function Footer() {
  return (
    <footer className="on-band relative isolate overflow-hidden bg-band text-on-band print:hidden">
      <BandContours view="turned" />
      <div className="mx-auto max-w-public px-4 py-12 md:px-6 md:py-16">
        <div className="grid grid-cols-[repeat(auto-fit,minmax(max(7.5rem,34%),1fr))] gap-x-6 gap-y-10 md:grid-cols-3 lg:grid-cols-[minmax(0,1.5fr)_repeat(3,minmax(0,1fr))]">
          <FooterContact />
          {FOOTER_COLUMNS.map((column) => (
            <nav key={column.title} aria-label={column.title} className="max-md:last:col-span-full">
              <h2 className="text-base font-semibold">{column.title}</h2>
              <LinkList links={column.links} />
            </nav>
          ))}
        </div>
        <div className="mt-12 grid gap-x-8 gap-y-5 border-t border-band-line pt-6 md:grid-cols-[1fr_auto] md:items-center">
          <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
            <p className="text-on-band-muted">
              Routing number{" "}
              <span className="num font-semibold text-on-band">{INSTITUTION.routingNumber}</span>
            </p>
            {INSTITUTION.isNcuaInsured && <InsuredBadge />}
          </div>
          <ul className="flex flex-wrap gap-x-5">
            {LEGAL_LINKS.map((link) => (
              <li key={link.to}>
                <Link to={link.to} className={LINK_STYLE}>
                  {link.label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
        <p className="mt-5 text-[0.8125rem] text-on-band-muted">
          © {INSTITUTION.legalName}. All rights reserved. {TEXTS.demoNotice}
        </p>
      </div>
    </footer>
  );
}

function FooterContact() {
  return (
    <section aria-labelledby="footer-contact" className="max-lg:col-span-full">
      <Link to="/" className="inline-block rounded-control">
        <Wordmark />
      </Link>
      <h2 id="footer-contact" className="sr-only">
        Contact details
      </h2>
      <ul className="mt-5 grid gap-2.5 wrap-anywhere text-on-band-muted">
        <li className="flex items-center gap-2.5">
          <Mail aria-hidden="true" size={16} />
          <a href={`mailto:${INSTITUTION.supportEmail}`} className={LINK_STYLE}>
            {INSTITUTION.supportEmail}
          </a>
        </li>
        <li className="flex items-center gap-2.5">
          <Phone aria-hidden="true" size={16} />
          <PhoneLink className={LINK_STYLE} />
        </li>
        <li className="flex items-center gap-2.5">
          <Clock aria-hidden="true" size={16} />
          <span className="py-1">{INSTITUTION.supportHours}</span>
        </li>
      </ul>
    </section>
  );
}

function LinkList({ links }: { readonly links: readonly PublicLink[] }) {
  return (
    <ul className="mt-3 grid gap-0.5">
      {links.map((link) => (
        <li key={link.to}>
          <Link to={link.to} className={LINK_STYLE}>
            {link.label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Our own words, never the insurer's official mark. */
function InsuredBadge() {
  return (
    <p className="inline-flex items-center gap-2 rounded-control border border-band-line px-3 py-1.5 text-sm font-semibold">
      <ShieldCheck aria-hidden="true" size={16} className="text-beacon" />
      {INSTITUTION.ncuaText}
    </p>
  );
}
