import { api } from "#api";
import type { Statement } from "#shared/answers";
import { MESSAGES } from "#shared/errors";
import { INSTITUTION } from "#shared/institution";
import { ACCOUNT_TYPES, type AccountType } from "#shared/validators";
import { useQueries, useQuery } from "convex/react";
import clsx from "clsx";
import { Printer } from "lucide-react";
import { useId, useMemo, useRef, useState } from "react";
import { Button } from "../../components/ui/Button";
import { FormAlert } from "../../components/ui/FormAlert";
import { RefusalAlert } from "../../components/ui/RefusalAlert";
import { Select } from "../../components/ui/Select";
import { PanelSkeleton, SkeletonRows } from "../../components/ui/Skeleton";
import { Notice, StatusBanner } from "../../components/ui/StatusBanner";
import { MailLink, TextLink } from "../../components/ui/TextLink";
import { useLatest } from "../../hooks/useLatest";
import { errorText } from "../../lib/errorText";
import { PATHS } from "../../lib/paths";
import { printArea } from "../../lib/printArea";
import type { FileKind, StatementChoice } from "../../lib/statementFiles";
import { StatementPaper } from "./StatementPaper";
import { StatementRow } from "./StatementRow";
import { useStatementFiles } from "./useStatementFiles";

/** Spec section 2 "Statements": the last three are listed. */
const RECENT_STATEMENTS = 3;

const ALERT_ID = "statement-alert";

interface StatementsPanelProps {
  readonly accounts: readonly { readonly type: AccountType }[];
}

/** Statements: choose, look, download in three formats, print. */
export function StatementsPanel({ accounts }: StatementsPanelProps) {
  const periods = useQuery(api.statements.periods, {});
  const [account, setAccount] = useState<string>(accounts[0]?.type ?? "");
  const [chosenPeriod, setPeriod] = useState<string>();
  const [isIncomplete, setIsIncomplete] = useState(false);
  const files = useStatementFiles();
  const accountId = useId();
  // A policy can withdraw the chosen period.
  const offered = periods?.find(({ period }) => period === chosenPeriod) ?? periods?.[0];
  const period = offered?.period ?? "";
  const accountType = ACCOUNT_TYPES.find((type) => type === account);
  const choice: StatementChoice | null =
    accountType === undefined || period === "" ? null : { accountType, period };

  const edit = () => {
    setIsIncomplete(false);
    files.clear();
  };
  const save = (kind: FileKind) => {
    setIsIncomplete(choice === null);
    if (choice === null) document.getElementById(accountId)?.focus();
    else void files.save(choice, kind);
  };
  const button = (kind: FileKind, label: string) => (
    <Button
      variant={kind === "pdf" ? "primary" : "secondary"}
      isBusy={choice !== null && files.isBusy(choice, kind)}
      busyLabel="Preparing..."
      className={clsx(kind === "pdf" && "col-span-full")}
      onClick={() => save(kind)}
    >
      {label}
    </Button>
  );

  if (periods === undefined) return <PanelSkeleton />;
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="no-print grid gap-5 sm:grid-cols-2 sm:gap-x-3">
        <Select
          id={accountId}
          label="Account"
          placeholder="Choose an account"
          options={accounts.map(({ type }) => ({ value: type, label: type }))}
          value={account}
          onChange={(event) => {
            edit();
            setAccount(event.target.value);
          }}
          isInvalid={isIncomplete}
          describedBy={isIncomplete ? ALERT_ID : undefined}
        />
        <Select
          label="Period"
          options={periods.map((item) => ({ value: item.period, label: item.label }))}
          value={period}
          onChange={(event) => {
            edit();
            setPeriod(event.target.value);
          }}
        />
      </div>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,9rem),1fr))] gap-3 sm:flex sm:flex-wrap">
        {button("pdf", "Download")}
        {button("csv", "Download CSV")}
        {button("ofx", "Download OFX")}
      </div>
      <RefusalAlert
        id={ALERT_ID}
        message={isIncomplete ? MESSAGES.STATEMENT_INCOMPLETE : files.message}
        fieldId={isIncomplete ? accountId : undefined}
      />
      <StatusBanner>{files.status}</StatusBanner>
      <Notice>
        Statements are available from <span className="whitespace-nowrap">March 2024</span> only.
        For older ones contact support: <MailLink address={INSTITUTION.supportEmail} />.
      </Notice>
      {choice !== null && <StatementView choice={choice} />}
      <section aria-labelledby="recent-statements">
        <h3 id="recent-statements" className="text-sub-title mb-2">
          Recent Statements
        </h3>
        <ul className="divide-y divide-line">
          {periods.slice(0, RECENT_STATEMENTS).map((item) => (
            <StatementRow
              key={`${account} ${item.period}`}
              month={item.label}
              text={accountType === undefined ? item.label : `${item.label}, ${accountType}`}
              choice={accountType === undefined ? null : { accountType, period: item.period }}
            />
          ))}
        </ul>
      </section>
      <p className="text-sm">
        Looking for a single payment?{" "}
        <TextLink to={PATHS.transactions}>Search all transactions</TextLink>
      </p>
    </div>
  );
}

/** The chosen statement, with a way to print it, or why it cannot be shown. */
function StatementView({ choice }: { readonly choice: StatementChoice }) {
  const paper = useRef<HTMLDivElement>(null);
  const answer = useStatement(choice);
  const isRefused = answer instanceof Error;
  const { value: statement, isStale } = useLatest(isRefused ? undefined : answer);
  if (isRefused) return <FormAlert>{errorText(answer, "FILE_FAILED")}</FormAlert>;
  if (statement === undefined)
    return <SkeletonRows count={8} className="min-h-160 content-start" />;
  return (
    <div aria-busy={isStale} className="border-t border-line pt-5">
      <StatementPaper ref={paper} statement={statement} />
      <Button
        variant="secondary"
        size="sm"
        className="mt-4"
        onClick={() => printArea(paper.current)}
      >
        <Printer aria-hidden className="size-4" />
        Print statement
      </Button>
    </div>
  );
}

/** The chosen statement, live. A refusal is an answer: thrown, it would take the choice of another one from the page. */
function useStatement({ accountType, period }: StatementChoice): Statement | Error | undefined {
  const { statement } = useQueries(
    useMemo(
      () => ({ statement: { query: api.statements.get, args: { accountType, period } } }),
      [accountType, period],
    ),
  ) as { statement: Statement | Error | undefined };
  return statement;
}
