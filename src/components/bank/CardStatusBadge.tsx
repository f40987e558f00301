import type { CardStatus } from "#shared/validators";
import { Badge, type BadgeTone } from "../ui/Badge";

const TONES: Record<CardStatus, BadgeTone> = {
  Active: "pos",
  Locked: "warn",
  "Reported lost": "neg",
};

/** Whether a bank card can be used. */
export function CardStatusBadge({ status }: { readonly status: CardStatus }) {
  return (
    <Badge tone={TONES[status]} hasDot>
      {status}
    </Badge>
  );
}
