import { useEffect, useState } from "react";
import { clearDraft, hasDraft, readDraft, writeDraft } from "../../lib/drafts";
import {
  dirtyFields,
  draftOf,
  editOf,
  startEdit,
  type AccountEdit,
  type AccountValues,
} from "./accountEdit";

const draftKeyOf = (accountId: string): string => `account-${accountId}`;

/** Whether an edit of the account was begun and neither saved nor discarded. */
export const hasKeptEdit = (accountId: string): boolean => hasDraft(draftKeyOf(accountId));

/** An edit and its reason, which survive a time-out and a visit to other users. */
export function useKeptEdit(accountId: string, current: AccountValues) {
  const draftKey = draftKeyOf(accountId);
  const [kept] = useState(() => readDraft(draftKey, draftOf(startEdit(current), "")));
  const [edit, setEdit] = useState<AccountEdit>(() => editOf(kept));
  const [reason, setReason] = useState(kept.reason);
  useEffect(() => {
    if (reason === "" && dirtyFields(edit).length === 0) clearDraft(draftKey);
    else writeDraft(draftKey, draftOf(edit, reason));
  }, [draftKey, edit, reason]);
  return { edit, setEdit, reason, setReason, forget: () => clearDraft(draftKey) };
}
