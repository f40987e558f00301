import { useState } from "react";
import { api } from "#api";
import { useQuery } from "convex/react";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { StatementRow } from "./StatementRow";
import { useStatementFiles } from "./useStatementFiles";

/** The months of the Cards tab: card payments are part of the Checking statement. */
export function CardStatements() {
  const periods = useQuery(api.statements.periods, {});
  const files = useStatementFiles();
  const [pressed, setPressed] = useState<string>();
  if (periods === undefined) return <SkeletonRows />;
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">
        Card payments are part of your Checking statement for the month.
      </p>
      <ul className="divide-y divide-line">
        {periods.map(({ period, label }) => {
          const choice = { accountType: "Checking", period } as const;
          return (
            <StatementRow
              key={period}
              month={label}
              isBusy={files.isBusy(choice, "pdf")}
              outcome={pressed === period ? files : null}
              onDownload={() => {
                setPressed(period);
                void files.save(choice, "pdf");
              }}
            />
          );
        })}
      </ul>
    </div>
  );
}
