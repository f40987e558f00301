import { Gift, Zap } from "lucide-react";
import { INSTITUTION } from "#shared/institution";
import { EmptyState } from "../../components/ui/EmptyState";

/** Spec section 2: Zelle shows a 'coming soon' message. */
export function ZellePanel() {
  return (
    <EmptyState icon={<Zap />} title="Zelle is coming soon">
      Until then, send money to any {INSTITUTION.name} member by email under Transfer Money.
    </EmptyState>
  );
}

/** Spec section 2: Rewards shows a 'being enhanced, check back soon' message. */
export function RewardsPanel() {
  return (
    <EmptyState icon={<Gift />} title="Rewards are being enhanced, check back soon">
      Your points stay with your credit card. You can see the balance under Cards.
    </EmptyState>
  );
}
