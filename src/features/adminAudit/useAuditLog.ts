import { useMemo, useState } from "react";
import {
  useConvex,
  useMutation,
  usePaginatedQuery,
  useQueries,
  type RequestForQueries,
} from "convex/react";
import type { FunctionReturnType } from "convex/server";
import { api } from "#api";
import type { Id } from "#data";
import { dateOf } from "#shared/dates";
import { MESSAGES } from "#shared/errors";
import { ADMIN_SUCCESS_MS, PAGE_ROWS_MAX } from "#shared/limits";
import { TEXTS } from "#shared/texts";
import { useAddressParams, withParams } from "../../hooks/useAddressParams";
import { useCommand } from "../../hooks/useCommand";
import { useLatest } from "../../hooks/useLatest";
import { useTimedText } from "../../hooks/useTimedText";
import { saveFile } from "../../lib/saveFile";
import { AUDIT_ACTIONS } from "./auditActions";
import type { AuditEntry } from "./auditChanges";
import { auditCsv } from "./auditCsv";
import type { AuditFiltersProps } from "./AuditFilters";
import type { AuditListProps } from "./AuditList";

const PAGE_ROWS = 50;
/** Rows per exported file; older ones go into further files. */
const EXPORT_ROWS_PER_FILE = 10_000;

type Role = "person" | "actor";

/** The log under the filters of the address: `?person=`, `?account=`, `?actor=`, `?action=`. */
export function useAuditLog(): { filters: AuditFiltersProps; list: AuditListProps } {
  const [params, setParams] = useAddressParams();
  const action = params.get("action") ?? "";
  const role: Role = params.has("actor") ? "actor" : "person";
  const who = usePerson(params.get(role));
  // Accounts belong to the person the log is about.
  const account =
    role === "person" ? who.accounts.find(({ _id }) => _id === params.get("account")) : undefined;
  const filter = {
    ...(action === "" ? {} : { action }),
    ...(account === undefined ? {} : { accountId: account._id }),
    ...(who.userId === null
      ? {}
      : role === "actor"
        ? { actorId: who.userId }
        : { personId: who.userId }),
  };
  const page = usePaginatedQuery(api.admin.audit.page, who.isLoading ? "skip" : filter, {
    initialNumItems: PAGE_ROWS,
  });
  const { value: entries, isStale } = useLatest(
    page.status === "LoadingFirstPage" ? undefined : page.results,
  );
  const search = usePersonSearch((next, userId) =>
    setParams((now) =>
      withParams(now, { person: null, actor: null, account: null, [next]: userId }),
    ),
  );
  const exporting = useAuditExport(filter);
  const [done, showDone, clearDone] = useTimedText(ADMIN_SUCCESS_MS);

  return {
    filters: {
      actions: AUDIT_ACTIONS,
      action,
      onActionChange: (name) => setParams((now) => withParams(now, { action: name })),
      accounts: role === "person" ? who.accounts : [],
      account: account?._id ?? "",
      onAccountChange: (accountId) => setParams((now) => withParams(now, { account: accountId })),
      narrowedTo: narrowedText(role, who.email, action),
      onFindPerson: (email, next) => {
        exporting.clear();
        void search.run(email, next);
      },
      onClear: () => setParams(() => new URLSearchParams()),
      onExport: () => {
        search.clear();
        clearDone();
        void exporting.run().then(({ isOk }) => {
          if (isOk) showDone(TEXTS.fileSaved);
        });
      },
      isFinding: search.isBusy,
      canExport: !who.isLoading,
      isExporting: exporting.isBusy,
      done,
      failure: search.failure ?? exporting.refusal?.message ?? null,
    },
    list: {
      entries,
      isStale,
      status: page.status,
      onLoadMore: () => page.loadMore(PAGE_ROWS),
    },
  };
}

/** Finds the person whose entries are wanted, by e-mail. */
function usePersonSearch(onFound: (role: Role, userId: string) => void) {
  const find = useCommand(useMutation(api.admin.users.findByEmail), {
    fallback: "FETCH_USERS_FAILED",
    hasEcho: false,
  });
  const [isUnknown, setIsUnknown] = useState(false);
  const clear = () => {
    setIsUnknown(false);
    find.clear();
  };
  const run = async (email: string, role: Role): Promise<void> => {
    clear();
    const outcome = await find.run({ email });
    if (!outcome.isOk) return;
    if (outcome.value === null) setIsUnknown(true);
    else onFound(role, outcome.value.userId);
  };
  const failure = isUnknown ? MESSAGES.USER_NOT_FOUND : (find.refusal?.message ?? null);
  return { run, clear, isBusy: find.isBusy, failure };
}

/** The person the address names; an unknown id narrows nothing. */
function usePerson(idText: string | null) {
  const { person } = useQueries(useMemo(() => personRequest(idText), [idText])) as {
    person?: FunctionReturnType<typeof api.admin.users.get> | Error;
  };
  const isFound = person !== undefined && person !== null && !(person instanceof Error);
  return {
    isLoading: idText !== null && person === undefined,
    userId: isFound ? person._id : null,
    email: isFound ? person.email : null,
    accounts: isFound ? person.accounts : [],
  };
}

function personRequest(idText: string | null): RequestForQueries {
  if (idText === null) return {};
  return { person: { query: api.admin.users.get, args: { userId: idText } } };
}

/** Reads every page under the filter and saves them as CSV files small enough for a spreadsheet to open. */
function useAuditExport(filter: {
  action?: string;
  personId?: Id<"users">;
  accountId?: Id<"accounts">;
  actorId?: Id<"users">;
}) {
  const convex = useConvex();
  const save = async (): Promise<void> => {
    let entries: AuditEntry[] = [];
    let cursor: string | null = null;
    let isDone = false;
    for (let part = 1; !isDone;) {
      const next: { page: AuditEntry[]; continueCursor: string; isDone: boolean } =
        await convex.query(api.admin.audit.page, {
          ...filter,
          paginationOpts: { numItems: PAGE_ROWS_MAX, cursor },
        });
      entries.push(...next.page);
      cursor = next.continueCursor;
      isDone = next.isDone;
      if (!isDone && entries.length < EXPORT_ROWS_PER_FILE) continue;
      const name = part === 1 && isDone ? "" : `-part-${part}`;
      const file = new Blob([auditCsv(entries)], { type: "text/csv;charset=utf-8" });
      saveFile(`audit-log-${dateOf(Date.now())}${name}.csv`, file);
      entries = [];
      part += 1;
    }
  };
  return useCommand(save, { fallback: "EXPORT_FAILED", hasEcho: false });
}

function narrowedText(role: Role, email: string | null, action: string): string | null {
  if (email === null) return action === "" ? null : "of one action";
  return role === "actor" ? `by ${email}` : `about ${email}`;
}
