import { cardKindName } from "#shared/cardNames";
import { formatCount } from "#shared/counts";
import { formatUsd } from "#shared/money";
import { Lock, LockOpen, TriangleAlert } from "lucide-react";
import { CardStatusBadge } from "../../components/bank/CardStatusBadge";
import { TxRow } from "../../components/bank/TxRow";
import { Button } from "../../components/ui/Button";
import { DefinitionList, type DefinitionItem } from "../../components/ui/DefinitionList";
import { FormAlert } from "../../components/ui/FormAlert";
import { TextLink } from "../../components/ui/TextLink";
import { formatDate } from "../../lib/format";
import { PATHS } from "../../lib/paths";
import { BankCard } from "./BankCard";
import { CreditUsage } from "./CreditUsage";
import { useAnnouncedStatus } from "./useAnnouncedStatus";
import type { Card, CardChange } from "./useMyCards";

function factsOf(card: Card): DefinitionItem[] {
  const facts: DefinitionItem[] = [];
  if (card.linkedAccount !== undefined) {
    facts.push({ term: "Linked account", value: card.linkedAccount });
  }
  if (card.limitCents !== undefined) {
    facts.push({ term: "Credit limit", value: formatUsd(card.limitCents) });
  }
  if (card.availableCents !== undefined) {
    facts.push({ term: "Available credit", value: formatUsd(card.availableCents) });
  }
  if (card.rewardsPoints !== undefined) {
    facts.push({ term: "Rewards points", value: formatCount(card.rewardsPoints) });
  }
  return facts;
}

/** Id of the heading of a card's tile, which can take the focus and keeps it when the card is replaced. */
export const cardTitleId = ({ kind }: Card): string => `${kind}-card`;

interface CardTileProps {
  readonly card: Card;
  readonly isBusy: boolean;
  readonly isDisabled: boolean;
  /** Of the last change, if it was this card's. */
  readonly refusal: string | undefined;
  readonly onChange: (change: Exclude<CardChange, "reportLost">) => void;
  readonly onReportLost: () => void;
}

/** One card: its face, its facts, its last transactions, and what can be done with it. */
export function CardTile(props: CardTileProps) {
  const { card, isBusy, isDisabled, refusal, onChange, onReportLost } = props;
  const name = cardKindName(card.kind);
  const titleId = cardTitleId(card);
  const isLost = card.status === "Reported lost";
  const isLocked = card.status === "Locked";
  useAnnouncedStatus(name, card.status);
  return (
    <section aria-labelledby={titleId} className="grid grid-cols-1 content-start gap-4">
      <div className="flex items-center justify-between gap-3">
        <h3 id={titleId} tabIndex={-1} className="text-sub-title">
          {name}
        </h3>
        <CardStatusBadge status={card.status} />
      </div>
      <BankCard card={card} />
      <DefinitionList items={factsOf(card)} />
      {card.limitCents !== undefined && card.availableCents !== undefined && (
        <CreditUsage limitCents={card.limitCents} availableCents={card.availableCents} />
      )}
      <div className="flex flex-wrap gap-3 max-sm:*:grow">
        <Button
          variant="secondary"
          aria-describedby={titleId}
          isBusy={isBusy}
          disabled={isDisabled || isLost}
          isPressedOnce
          onClick={() => onChange(isLocked ? "unlock" : "lock")}
        >
          {isLocked ? (
            <LockOpen aria-hidden className="size-4" />
          ) : (
            <Lock aria-hidden className="size-4" />
          )}
          {isLocked ? "Unlock Card" : "Lock Card"}
        </Button>
        <Button
          variant="dangerGhost"
          aria-describedby={titleId}
          disabled={isDisabled || isLost}
          onClick={onReportLost}
        >
          <TriangleAlert aria-hidden className="size-4" />
          Report Lost
        </Button>
      </div>
      <FormAlert>{refusal}</FormAlert>
      {isLost && (
        <p className="text-sm text-muted">
          This card is blocked for good. <TextLink to={PATHS.contact}>Contact support</TextLink> for
          a new one.
        </p>
      )}
      <div>
        <h4 className="text-sm text-muted">Last transactions</h4>
        {card.lastTransactions.length === 0 && (
          <p className="mt-2 text-sm">None on this card yet.</p>
        )}
        <ul>
          {card.lastTransactions.map((row) => (
            <li key={row._id}>
              <TxRow tx={row} meta={`${row.category}, ${formatDate(row.date)}`} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
