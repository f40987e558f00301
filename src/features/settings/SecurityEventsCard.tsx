import { api } from "#api";
import { useQuery } from "convex/react";
import { Card } from "../../components/ui/Card";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { formatDateTime } from "../../lib/format";

/** Recent security activity on the account, newest first. */
export function SecurityEventsCard() {
  const events = useQuery(api.profile.securityEvents, {});
  return (
    <Card title="Recent security activity">
      {events === undefined && <SkeletonRows count={3} />}
      {events?.length === 0 && (
        <p className="text-sm text-muted">Nothing yet. Sign-ins and password changes show here.</p>
      )}
      <ul className="divide-y divide-line">
        {events?.map((event) => (
          <li
            key={event._id}
            className="flex flex-wrap justify-between gap-x-4 py-2.5 first:pt-0 last:pb-0"
          >
            <span>{event.text}</span>
            <span className="num text-sm text-muted">{formatDateTime(event.at)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
