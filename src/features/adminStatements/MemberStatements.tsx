import { ACCOUNT_TYPES, type AccountType } from "#shared/validators";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { FormAlert } from "../../components/ui/FormAlert";
import { Select } from "../../components/ui/Select";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { StatusBanner } from "../../components/ui/StatusBanner";
import type { FileKind } from "../../lib/statementFiles";
import { useMemberStatements } from "./useMemberStatements";

const BUTTONS: readonly [FileKind, string][] = [
  ["pdf", "Download"],
  ["csv", "Download CSV"],
  ["ofx", "Download OFX"],
];

/** A member's statements of every closed month: members are told to ask for older ones. */
export function MemberStatements({ userId }: { userId: string }) {
  const { periods, accountType, period, ...statements } = useMemberStatements(userId);
  return (
    <Card title="Statements" lead="Each download is written to the audit log.">
      {periods === undefined ? (
        <SkeletonRows count={2} />
      ) : period === undefined ? (
        <p className="text-muted">No month with transactions has closed yet.</p>
      ) : (
        <div className="grid gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <Select
              label="Account"
              options={ACCOUNT_TYPES.map((type) => ({ value: type, label: type }))}
              value={accountType}
              // The options are these types and nothing else.
              onChange={(event) => statements.chooseAccount(event.target.value as AccountType)}
            />
            <Select
              label="Period"
              options={periods.map((month) => ({ value: month.period, label: month.label }))}
              value={period}
              onChange={(event) => statements.choosePeriod(event.target.value)}
            />
          </div>
          <div className="flex flex-wrap gap-2 max-sm:*:flex-auto">
            {BUTTONS.map(([kind, label]) => (
              <Button
                key={kind}
                variant="secondary"
                size="sm"
                isBusy={statements.isBusy(kind)}
                onClick={() => void statements.save(kind)}
              >
                {label}
              </Button>
            ))}
          </div>
          <FormAlert>{statements.failure}</FormAlert>
          <StatusBanner>{statements.done}</StatusBanner>
        </div>
      )}
    </Card>
  );
}
