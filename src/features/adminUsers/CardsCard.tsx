import { useRef, useState, type RefObject } from "react";
import { cardKindName, cardName } from "#shared/cardNames";
import { CardStatusBadge } from "../../components/bank/CardStatusBadge";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { DefinitionList } from "../../components/ui/DefinitionList";
import { ReasonDialog } from "../../components/ui/ReasonDialog";
import { Notice, StatusBanner } from "../../components/ui/StatusBanner";
import type { Acts } from "../../hooks/useActs";
import { formatDateTime, formatLongDate, inOnePiece } from "../../lib/format";
import {
  actsOn,
  CARD_ACTS,
  cardInSentence,
  type CardAct,
  type StaffCard,
  type StaffCards,
} from "./cardActs";

export interface CardsCardProps extends StaffCards, Acts {
  /** True for people who have been accepted: only they can get a card that works. */
  isAccepted: boolean;
  /** Resolves to true once it is done. */
  onAct: (card: StaffCard, act: CardAct, reason: string) => Promise<boolean>;
}

/** What a question was opened for; the card may change meanwhile. */
type Asked = { readonly card: StaffCard; readonly act: CardAct };

const titleId = ({ kind }: StaffCard): string => `staff-${kind}-card`;

/** The bank cards of one person, for staff; nothing for somebody without any. */
export function CardsCard(props: CardsCardProps) {
  const { cards, replaced, isAccepted, done } = props;
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const afterwards = useRef<HTMLElement>(null);
  const ask = (card: StaffCard, act: CardAct) => {
    afterwards.current = null;
    setAsked({ card, act });
    setIsOpen(true);
  };
  const close = () => {
    props.clearFailure();
    setIsOpen(false);
  };
  const confirm = async ({ card, act }: Asked, reason: string) => {
    const isDone = await props.onAct(card, act, reason);
    // The button that opened the question is gone.
    const isOpenerGone = isDone && (act === "reportLost" || act === "replace");
    if (isOpenerGone) afterwards.current = document.getElementById(titleId(card));
    return isDone;
  };
  if (cards.length === 0) return null;
  return (
    <Card title="Cards">
      <div className="grid gap-4">
        <StatusBanner>{done}</StatusBanner>
        {!isAccepted && (
          <Notice tone="info">The membership has ended: these cards no longer work.</Notice>
        )}
        <div className="grid grid-cols-1 gap-x-8 gap-y-6 md:grid-cols-[repeat(auto-fill,minmax(min(100%,max(16rem,45%)),1fr))]">
          {cards.map((card) => (
            // A new card takes the place of the lost one.
            <OneCard
              key={card.kind}
              card={card}
              acts={actsOn(card, isAccepted)}
              onAsk={(act) => ask(card, act)}
            />
          ))}
        </div>
        {replaced.length > 0 && (
          <ul className="grid gap-1 text-sm text-muted">
            {replaced.map((card) => (
              <li key={card._id}>
                {cardName(card)} was reported lost and replaced on{" "}
                {inOnePiece(formatLongDate(card.replacedAt))}.
              </li>
            ))}
          </ul>
        )}
      </div>
      {asked !== null && (
        <ActDialog
          {...props}
          {...asked}
          isOpen={isOpen}
          onClose={close}
          onConfirm={(reason) => confirm(asked, reason)}
          finalFocus={afterwards}
        />
      )}
    </Card>
  );
}

function OneCard({
  card,
  acts,
  onAsk,
}: {
  card: StaffCard;
  acts: readonly CardAct[];
  onAsk: (act: CardAct) => void;
}) {
  const { lastFour, holderName, expiry, status, statusChangedAt } = card;
  const id = titleId(card);
  const since = status === "Reported lost" ? "Reported lost on" : `${status} since`;
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 content-start gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 id={id} tabIndex={-1} className="text-sub-title">
          {cardKindName(card.kind)}
        </h3>
        <CardStatusBadge status={status} />
      </div>
      <DefinitionList
        items={[
          { term: "Number", value: `•••• ${lastFour}` },
          { term: "Holder", value: <span dir="auto">{holderName}</span> },
          { term: "Expires", value: expiry },
          ...(statusChangedAt === undefined
            ? []
            : [{ term: since, value: inOnePiece(formatDateTime(statusChangedAt)) }]),
        ]}
      />
      {acts.length > 0 && (
        <div className="flex flex-wrap gap-2 max-sm:*:flex-auto">
          {acts.map((act) => (
            <Button
              // The first one turns from Lock into Unlock under the focus.
              key={act === "unlock" ? "lock" : act}
              variant={act === "reportLost" ? "dangerGhost" : "secondary"}
              size="sm"
              aria-describedby={id}
              onClick={() => onAsk(act)}
            >
              {CARD_ACTS[act].label}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}

type ActDialogProps = CardsCardProps &
  Asked & {
    isOpen: boolean;
    onClose: () => void;
    onConfirm: (reason: string) => Promise<boolean>;
    finalFocus: RefObject<HTMLElement | null>;
  };

function ActDialog(props: ActDialogProps) {
  const { card, act, cards, onConfirm, isOpen, onClose, finalFocus, isBusy, failure } = props;
  const { label, titleOf, description, variant } = CARD_ACTS[act];
  const now = cards.find(({ _id }) => _id === card._id);
  const isChanged = isOpen && !isBusy && now?.status !== card.status;
  return (
    <ReasonDialog
      draftKey={`card-${card._id}-${act}`}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={onConfirm}
      finalFocus={finalFocus}
      title={titleOf(cardInSentence(card))}
      description={description}
      hint="How you verified who asked. Kept in the audit log."
      confirmLabel={label}
      variant={variant}
      isBusy={isBusy}
      failure={failure ?? (isChanged ? "Someone has changed this card in the meantime." : null)}
    />
  );
}
