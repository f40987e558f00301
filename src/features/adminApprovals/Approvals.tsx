import { plural } from "#shared/counts";
import { useEffect, useState } from "react";
import { BadgeCheck } from "lucide-react";
import { Card } from "../../components/ui/Card";
import { EmptyState } from "../../components/ui/EmptyState";
import { LoadMore } from "../../components/ui/LoadMore";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { announce } from "../../lib/announce";
import { ApprovalList } from "./ApprovalList";
import { useApprovals } from "./useApprovals";

const LIST_ID = "approvals";
/** What a person's page shows of them at first: more would push the accounts out of sight. */
const SHOWN_FIRST = 3;

/** Every change waiting for a second administrator. */
export function Approvals() {
  const { list, status, onLoadMore } = useApprovals();
  return (
    <div id={LIST_ID}>
      <div className="grid grid-cols-1 gap-4">
        <ApprovalList
          {...list}
          empty={status === "LoadingFirstPage" ? <SkeletonRows count={4} /> : <NothingWaiting />}
        />
      </div>
      <LoadMore status={status} onLoadMore={onLoadMore} listId={LIST_ID} />
    </div>
  );
}

function NothingWaiting() {
  return (
    <Card isFlush>
      <EmptyState icon={<BadgeCheck />} title="No changes are waiting">
        With the policy "Second administrator" set to Recommended, changes that one administrator
        may not make alone wait here.
      </EmptyState>
    </Card>
  );
}

/** Waiting changes that concern one person; renders nothing if there are none. */
export function PersonApprovals({ userId }: { userId: string }) {
  const { list, status, onLoadMore } = useApprovals(userId);
  const [isAllShown, setIsAllShown] = useState(false);
  const count = list.approvals.length;
  const isMore = !isAllShown && count > SHOWN_FIRST;
  useEffect(() => {
    if (count > 0) announce(`${plural(count, "change")} waiting for a second administrator`);
  }, [count]);
  return (
    <>
      <ApprovalList {...list} id={LIST_ID} shownMax={isMore ? SHOWN_FIRST : count} />
      {count > 0 && (
        <LoadMore
          {...(isMore
            ? {
                status: "CanLoadMore",
                label: `Show all (${count}${status === "Exhausted" ? "" : "+"})`,
                onLoadMore: () => setIsAllShown(true),
              }
            : { status, onLoadMore })}
          listId={LIST_ID}
        />
      )}
    </>
  );
}
