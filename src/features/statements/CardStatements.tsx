import { api } from "#api";
import { useQuery } from "convex/react";
import { Button } from "../../components/ui/Button";
import { FormAlert } from "../../components/ui/FormAlert";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { useStatementFiles } from "./useStatementFiles";

/** The months of the Cards tab: card payments are part of the Checking statement. */
export function CardStatements() {
  const periods = useQuery(api.statements.periods, {});
  const files = useStatementFiles();
  if (periods === undefined) return <SkeletonRows />;
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">
        Card payments are part of your Checking statement for the month.
      </p>
      <StatusBanner>{files.status}</StatusBanner>
      <FormAlert>{files.message}</FormAlert>
      <ul className="divide-y divide-line">
        {periods.map(({ period, label }) => {
          const choice = { accountType: "Checking", period } as const;
          return (
            <li key={period} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
              <span>{label}</span>
              <Button
                variant="ghost"
                size="sm"
                className="-mr-3 ml-auto"
                aria-label={`Download the ${label} statement`}
                isBusy={files.isBusy(choice, "pdf")}
                onClick={() => void files.save(choice, "pdf")}
              >
                Download
              </Button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
