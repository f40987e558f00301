import { api } from "#api";
import { useQuery } from "convex/react";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { StatementRow } from "./StatementRow";

/** The months of the Cards tab: card payments are part of the Checking statement. */
export function CardStatements() {
  const periods = useQuery(api.statements.periods, {});
  if (periods === undefined) return <SkeletonRows />;
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">
        Card payments are part of your Checking statement for the month.
      </p>
      <ul className="divide-y divide-line">
        {periods.map(({ period, label }) => (
          <StatementRow key={period} month={label} choice={{ accountType: "Checking", period }} />
        ))}
      </ul>
    </div>
  );
}
