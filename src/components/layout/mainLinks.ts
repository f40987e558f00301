import { CreditCard, House, ReceiptText, ArrowLeftRight, type LucideIcon } from "lucide-react";
import { DASHBOARD_ANCHORS, PATHS } from "../../lib/paths";

interface MainLink {
  label: string;
  to: string;
  icon: LucideIcon;
}

/** The four destinations of the signed-in frame (spec section 2 "Top navigation"). */
export const MAIN_LINKS: readonly MainLink[] = [
  { label: "Dashboard", to: PATHS.dashboard, icon: House },
  { label: "Transfers", to: DASHBOARD_ANCHORS.transfers, icon: ArrowLeftRight },
  { label: "Cards", to: DASHBOARD_ANCHORS.cards, icon: CreditCard },
  { label: "Bill Pay", to: DASHBOARD_ANCHORS.billPay, icon: ReceiptText },
];

/** True for the link to where the person already is. */
export function isCurrentLink(link: MainLink, at: { pathname: string; hash: string }): boolean {
  const [path, hash = ""] = link.to.split("#");
  if (at.pathname !== path) return false;
  if (hash !== "") return at.hash === `#${hash}`;
  return !MAIN_LINKS.some((other) => other.to === `${at.pathname}${at.hash}` && other !== link);
}
