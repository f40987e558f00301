import { useState } from "react";
import { isAccepted } from "#shared/roles";
import { useDraft } from "../../hooks/useDraft";
import type { UserDetailData } from "./userDetailData";
import type { VerificationDialogProps } from "./VerificationDialog";

/** What the footer shows: the actions, or a field for a reason or for a request. */
export type Mode = "review" | "rejecting" | "requesting" | "reopening";

/** Which of the actions the server would not refuse for a person's status. */
export interface Offers {
  readonly approve: boolean;
  readonly reject: boolean;
  readonly request: boolean;
  readonly reopen: boolean;
}
export const NO_OFFERS: Offers = { approve: false, reject: false, request: false, reopen: false };

type Decided = Pick<UserDetailData, "status" | "isFormerMember">;

export function offersTo({ status, isFormerMember }: Decided): Offers {
  const isMember = isAccepted({ status });
  const isRejected = status === "rejected";
  return {
    approve: !isMember,
    reject: !isRejected,
    request: !isMember && !isRejected,
    reopen: isRejected && !isFormerMember,
  };
}

/** A text that was kept may be for an action that is no longer possible. */
export const isOffered = (mode: Mode, offers: Offers): boolean =>
  mode === "review" || offers[OFFER_OF[mode]];

const OFFER_OF = { rejecting: "reject", requesting: "request", reopening: "reopen" } as const;

const NO_DECISION: { readonly mode: Mode; readonly text: string } = { mode: "review", text: "" };

/** What is being decided and written. It survives a time-out and Escape; Back discards it. */
export function useDecision(props: VerificationDialogProps) {
  const [draft, setDraft, forget] = useDraft(`decision-${props.user._id}`, NO_DECISION);
  const { mode, text } = draft;
  const [isTextMissing, setIsTextMissing] = useState(false);

  const back = () => {
    forget();
    setIsTextMissing(false);
    props.clearFailure();
  };
  const close = () => {
    back();
    props.onClose();
  };
  const hide = () => {
    if (text.trim() === "") back();
    setIsTextMissing(false);
    props.clearFailure();
    props.onClose();
  };
  const write = async () => {
    if (text.trim() === "") {
      setIsTextMissing(true);
      return;
    }
    const { onReject, onReopen, onRequestInformation } = props;
    const acts = { rejecting: onReject, reopening: onReopen, requesting: onRequestInformation };
    if (mode === "review" || !(await acts[mode](text.trim()))) return;
    if (mode === "requesting") back();
    else close();
  };
  const approve = async () => {
    if (await props.onApprove()) close();
  };
  const onTextChange = (next: string) => {
    setDraft({ mode, text: next });
    setIsTextMissing(false);
  };
  // A text that was kept for what is no longer possible is not this one's.
  const setMode = (next: Mode) => setDraft({ mode: next, text: "" });
  return { mode, setMode, text, onTextChange, isTextMissing, back, hide, write, approve };
}
