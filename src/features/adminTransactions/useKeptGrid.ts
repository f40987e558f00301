import type { CsvDefaults } from "#shared/csv";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "react";
import { useNow } from "../../hooks/useNow";
import { clearDraft, readDraft, writeDraft } from "../../lib/drafts";
import { gridReducer, initialGrid, isUntouched } from "./gridRows";

interface KeptGridOptions {
  readonly draftKey: string;
  readonly defaults: () => CsvDefaults;
  readonly onFileHash: (fileHash: string | null) => void;
}

/** The grid and whether its rows change the balance; both survive a time-out and visits to other pages. */
export function useKeptGrid({ draftKey, defaults, onFileHash }: KeptGridOptions) {
  const [kept] = useState(() =>
    readDraft(draftKey, { ...initialGrid(defaults()), isBalanceUpdated: true }),
  );
  const [state, dispatch] = useReducer(gridReducer, kept);
  const [isBalanceUpdated, setIsBalanceUpdated] = useState(kept.isBalanceUpdated);
  useEffect(() => {
    if (isUntouched(state) && isBalanceUpdated) clearDraft(draftKey);
    else writeDraft(draftKey, { ...state, isBalanceUpdated });
  }, [draftKey, state, isBalanceUpdated]);
  const given = useRef<CsvDefaults>(undefined);
  const nowMs = useNow();
  useEffect(() => {
    const now = defaults();
    if (given.current !== undefined) dispatch({ kind: "renew", before: given.current, now });
    given.current = now;
  }, [nowMs, defaults]);
  const fileHash = state.file?.fileHash ?? null;
  // Before paint: rows must not look ready to be added until their file was looked up.
  useLayoutEffect(() => onFileHash(fileHash), [fileHash, onFileHash]);
  const reset = () => {
    // Even after the page was left: no effect runs then, and rows already added must not be offered again.
    clearDraft(draftKey);
    dispatch({ kind: "reset", defaults: defaults() });
  };
  return { state, dispatch, reset, isBalanceUpdated, setIsBalanceUpdated };
}
