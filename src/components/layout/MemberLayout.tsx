import type { ReactNode } from "react";
import { TEXTS } from "#shared/texts";
import { BottomBar } from "./BottomBar";
import { SkipLink } from "./SkipLink";

/** The frame of every signed-in page: top bar, banner, main, footer line, bottom bar on phones. */
export function MemberLayout({
  navigation,
  banner,
  children,
}: {
  navigation: ReactNode;
  /** Connection and session notices, above everything. */
  banner?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="grid min-h-dvh grid-cols-1 grid-rows-[auto_1fr_auto] max-md:not-short:pb-24">
      <SkipLink />
      {/* Both stay in sight, wherever on the page the waiting button is. */}
      <div className="top-0 z-40 not-short:sticky">
        {navigation}
        {banner}
      </div>
      <main id="main" tabIndex={-1} className="min-w-0">
        {children}
      </main>
      {/* Next to a spinner it would jump out of sight when the page appears. */}
      <footer className="px-4 pt-10 pb-6 text-center text-[0.8125rem] text-muted print:pt-4 [main:has([data-page-spinner])+&]:invisible">
        {TEXTS.demoNotice}
      </footer>
      <BottomBar />
    </div>
  );
}
