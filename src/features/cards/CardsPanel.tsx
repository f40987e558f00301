import { CARD_ACTIONS, type CardAction } from "#shared/validators";
import { CreditCard } from "lucide-react";
import { Suspense, useRef, useState, type ReactNode } from "react";
import { Button } from "../../components/ui/Button";
import { ConfirmDialog } from "../../components/ui/ConfirmDialog";
import { EmptyState } from "../../components/ui/EmptyState";
import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { PanelSkeleton } from "../../components/ui/Skeleton";
import { Tabs } from "../../components/ui/Tabs";
import { useOfflineReason } from "../../hooks/useConnection";
import { CardCodeDialog } from "./CardCodeDialog";
import { cardTitleId, CardTile } from "./CardTile";
import { useMyCards, type Card } from "./useMyCards";

type TabValue = "overview" | "statements";

/**
 * Cards: overview with both cards and their actions, and the statements tab. `statements` may be a part that has yet to
 * load: the tabs stay meanwhile, because one of them has the focus.
 */
export function CardsPanel({ statements }: { readonly statements: ReactNode }) {
  const [tab, setTab] = useState<TabValue>("overview");
  return (
    <Tabs<TabValue>
      label="Cards"
      value={tab}
      onValueChange={setTab}
      items={[
        {
          value: "overview",
          label: "Overview",
          content: (
            <div className="pt-5">
              <Overview />
            </div>
          ),
        },
        {
          value: "statements",
          label: "Statements",
          content: (
            <div className="pt-5">
              <ErrorBoundary name="Statements">
                <Suspense fallback={<PanelSkeleton />}>{statements}</Suspense>
              </ErrorBoundary>
            </div>
          ),
        },
      ]}
    />
  );
}

function Overview() {
  const { cards, change, isBusy, refusalOf } = useMyCards();
  const offlineReason = useOfflineReason("offlineChanges");
  const [lost, setLost] = useState<Card | null>(null);
  const [action, setAction] = useState<CardAction | null>(null);
  const afterwards = useRef<HTMLElement>(null);
  if (cards === undefined) return <PanelSkeleton />;
  const first = cards[0];
  if (first === undefined) {
    return (
      <EmptyState icon={<CreditCard />} title="No cards yet">
        Your cards will show here once issued.
      </EmptyState>
    );
  }
  const reportLost = async () => {
    if (lost === null) return false;
    const { isOk } = await change(lost, "reportLost");
    // The buttons of a lost card are disabled: none of them can take the focus back.
    if (isOk) afterwards.current = document.getElementById(cardTitleId(lost));
    // A refusal is shown with the card.
    setLost(null);
    return isOk;
  };
  return (
    <div className="grid grid-cols-1 gap-6">
      {offlineReason !== undefined && <p className="text-sm text-muted">{offlineReason}</p>}
      <div className="grid grid-cols-1 gap-8 md:grid-cols-2">
        {cards.map((card) => (
          <CardTile
            // A new card takes the place of the lost one, live.
            key={card.kind}
            card={card}
            isBusy={isBusy(card) && lost === null}
            isDisabled={offlineReason !== undefined}
            refusal={refusalOf(card)}
            onChange={(wanted) => void change(card, wanted)}
            onReportLost={() => {
              afterwards.current = null;
              setLost(card);
            }}
          />
        ))}
      </div>
      <section aria-labelledby="card-actions" className="no-print border-t border-line pt-5">
        <h3 id="card-actions" className="text-sub-title mb-3">
          Card services
        </h3>
        <div className="flex flex-wrap gap-3 max-sm:*:grow">
          {CARD_ACTIONS.map((name) => (
            <Button key={name} variant="secondary" onClick={() => setAction(name)}>
              {name}
            </Button>
          ))}
        </div>
      </section>
      <CardCodeDialog action={action} cardId={first._id} onClose={() => setAction(null)} />
      <ConfirmDialog
        isOpen={lost !== null}
        onClose={() => setLost(null)}
        icon="warning"
        title={`Report this ${lost?.kind ?? ""} card lost?`}
        description="The card is blocked at once and cannot be unlocked again."
        confirmLabel="Report Lost"
        busyLabel="Reporting..."
        isBusy={lost !== null && isBusy(lost)}
        finalFocus={afterwards}
        onConfirm={reportLost}
      />
    </div>
  );
}
