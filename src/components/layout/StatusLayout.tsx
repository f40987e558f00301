import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { INSTITUTION } from "#shared/institution";
import { TEXTS } from "#shared/texts";
import { PATHS } from "../../lib/paths";
import { Wordmark } from "../ui/Mark";
import { SkipLink } from "./SkipLink";

/** Single-purpose pages without navigation: the application form and what follows it. */
export function StatusLayout({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex min-h-16 w-full max-w-public items-center justify-between gap-4 px-4 md:px-6">
          <Link
            to={PATHS.home}
            aria-label={`${INSTITUTION.fullName}, home`}
            className="touch-room flex rounded-control"
          >
            <Wordmark />
          </Link>
          {actions}
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex-1 py-10 md:py-14">
        {children}
      </main>
      <footer className="px-4 pb-6 text-center text-[0.8125rem] text-muted">
        {TEXTS.demoNotice}
      </footer>
    </div>
  );
}
