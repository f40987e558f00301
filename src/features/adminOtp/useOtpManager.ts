import { useCallback, useEffect, useRef, useState } from "react";
import { useAction, useMutation, useQuery } from "convex/react";
import type { FunctionReturnType } from "convex/server";
import { api } from "#api";
import type { Id } from "#data";
import { plural } from "#shared/counts";
import { appError, MESSAGES, type ErrorCode } from "#shared/errors";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { isOtpCode } from "#shared/rules/otpCode";
import { useCommand, type CommandOutcome } from "../../hooks/useCommand";
import { useTimedText } from "../../hooks/useTimedText";
import type { Refusal } from "../../lib/errorText";
import type { OtpManagerProps } from "./OtpManager";

const OF_OLD_LIST: ReadonlySet<ErrorCode> = new Set(["OTP_CODE_GONE", "OTP_CODE_EXISTS"]);

type Codes = FunctionReturnType<typeof api.admin.otpCodes.list>;

/** The list itself: opened once per mount, since every opening is audited, and again after each change. */
function useCodeList() {
  const list = useAction(api.admin.otpCodes.list);
  /** One that is still being opened may not show a later change: the next one does not join it. */
  const { run, refusal } = useCommand((_changeCount: number) => list({}), {
    fallback: "OTP_CODES_LIST_FAILED",
  });
  const changeCount = useRef(0);
  const [opened, setOpened] = useState<Codes>();

  const open = useCallback(async () => {
    const outcome = await run(changeCount.current);
    // A list from before a change is not shown: it can be opened again.
    setOpened(outcome.isOk ? outcome.value : undefined);
    return outcome.isOk;
  }, [run]);
  useEffect(() => void open(), [open]);
  const openAgain = () => {
    changeCount.current += 1;
    return open();
  };
  return { codes: opened ?? (refusal === null ? undefined : null), refusal, open, openAgain };
}

/** The code list, and what is done with it. */
export function useOtpManager(): OtpManagerProps {
  const { codes, refusal: listRefusal, open, openAgain } = useCodeList();
  const add = useCommand(useAddCode(), { fallback: "SAVE_FAILED" });
  const remove = useCommand(useMutation(api.admin.otpCodes.remove), { fallback: "SAVE_FAILED" });
  const clear = useCommand(useMutation(api.admin.otpCodes.clearUsed), { fallback: "SAVE_FAILED" });
  const summary = useQuery(api.admin.otpCodes.summary, {});
  const [done, showDone, hideDone] = useTimedText(ADMIN_SUCCESS_MS);
  /** The outcome of the last act, while the list has not been opened after it. */
  const [made, setMade] = useState<string | null>(null);

  const clearFailure = () => {
    add.clear();
    remove.clear();
    clear.clear();
  };
  /** Clears the last action's outcome when the next one starts. */
  const start = () => {
    clearFailure();
    hideDone();
    setMade(null);
  };
  const after = async (outcome: CommandOutcome<unknown>, text: string): Promise<boolean> => {
    if (outcome.isOk) showDone(text);
    // The list is not live: if the server contradicts it, another administrator has changed the codes.
    if (outcome.isOk || OF_OLD_LIST.has(outcome.refusal.code)) {
      const isOpened = await openAgain();
      if (outcome.isOk && !isOpened) {
        hideDone();
        setMade(text);
      }
    }
    return outcome.isOk;
  };
  const refusal = add.refusal ?? remove.refusal ?? clear.refusal;
  return {
    codes,
    onOpen: () => void open(),
    usedIds: summary && new Set(summary.usedIds),
    left: summary?.left ?? null,
    onAdd: async (code) => {
      start();
      return after(await add.run({ code }), "The code was added.");
    },
    onRemove: (codeId) => {
      start();
      void remove
        .run({ codeId: codeId as Id<"otpCodes"> })
        .then((outcome) => after(outcome, "The code was removed."));
    },
    onClearUsed: () => {
      start();
      void clear
        .run({})
        .then((outcome) => after(outcome, outcome.isOk ? clearedText(outcome.value) : ""));
    },
    acting: add.isBusy ? "add" : remove.isBusy ? "remove" : clear.isBusy ? "clear" : null,
    failure: refusal?.message ?? (listRefusal === null ? null : listFailure(listRefusal, made)),
    clearFailure,
    done,
  };
}

/** Nothing is lost with the answer but the list itself. */
function listFailure(refusal: Refusal, made: string | null): string {
  if (made !== null) return `${made} Only the list could not be opened again.`;
  return refusal.code === "CONNECTION_LOST" ? MESSAGES.OTP_CODES_LIST_FAILED : refusal.message;
}

function clearedText({ count }: { count: number }): string {
  return `Cleared. ${plural(count, "use")} forgotten.`;
}

/** Refuses what is no code itself, in the server's words. */
function useAddCode() {
  const add = useMutation(api.admin.otpCodes.add);
  return async ({ code }: { code: string }) => {
    if (!isOtpCode(code)) throw appError("INVALID_OTP_FORMAT");
    return add({ code });
  };
}
