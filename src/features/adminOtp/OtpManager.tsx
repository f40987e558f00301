import { useRef, useState, type FormEvent, type ReactNode } from "react";
import { X } from "lucide-react";
import { plural } from "#shared/counts";
import { MESSAGES } from "#shared/errors";
import { OTP_CODES_LEFT_FEW } from "#shared/limits";
import { Button, IconButton, type ButtonProps } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { FormAlert } from "../../components/ui/FormAlert";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { Notice, StatusBanner } from "../../components/ui/StatusBanner";
import { TextInput } from "../../components/ui/TextInput";
import { useFocusHandover } from "../../hooks/useFocusHandover";

interface OtpCode {
  readonly _id: string;
  readonly code: string;
}

type Act = "add" | "remove" | "clear";

export interface OtpManagerProps {
  /** Undefined while the list is being opened, null when it could not be. */
  codes: readonly OtpCode[] | null | undefined;
  onOpen: () => void;
  /** Codes used since the uses were last cleared; undefined while loading. */
  usedIds: ReadonlySet<string> | undefined;
  /**
   * Codes the administrator has left, and the minimum everyone else has left; null where every session may use every
   * code.
   */
  left: { readonly own: number; readonly everybody: number } | null;
  /** Resolves to true if the code was added. */
  onAdd: (code: string) => Promise<boolean>;
  onRemove: (codeId: string) => void;
  onClearUsed: () => void;
  /** The action under way: its button shows it, the others are disabled. */
  acting: Act | null;
  failure: string | null;
  clearFailure: () => void;
  /** Outcome of the last action, for a few seconds. */
  done: string | null;
}

function leadOf(codes: OtpManagerProps["codes"]): string | undefined {
  if (codes === null) return undefined;
  if (codes === undefined) return "Opening the list";
  return `${plural(codes.length, "code")} in the list. Opening it is recorded in the audit log.`;
}

/** The institution's one-time codes: add, remove, make used ones usable again. */
export function OtpManager(props: OtpManagerProps) {
  const { codes, left, onAdd, onRemove, onClearUsed, acting, failure, clearFailure, done } = props;
  const [code, setCode] = useState("");

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await onAdd(code.trim())) setCode("");
  };

  return (
    <Card
      title="One-time codes"
      lead={leadOf(codes)}
      actions={
        <ActButton act="clear" acting={acting} variant="secondary" size="sm" onClick={onClearUsed}>
          Clear used codes
        </ActButton>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        {left !== null && <CodesLeft {...left} />}
        <div className="flex flex-wrap items-end gap-x-6 gap-y-2">
          <form
            noValidate
            className="flex flex-wrap items-end gap-2"
            onSubmit={(event) => void submit(event)}
          >
            <TextInput
              label="New code"
              inputMode="numeric"
              autoComplete="off"
              fieldClassName="w-40"
              className="num"
              value={code}
              isInvalid={failure === MESSAGES.INVALID_OTP_FORMAT}
              describedBy={failure === null ? undefined : "otp-alert"}
              onChange={(event) => {
                setCode(event.target.value);
                clearFailure();
              }}
            />
            <ActButton act="add" acting={acting} type="submit">
              Add code
            </ActButton>
          </form>
          {/* Has its place: a Remove button must not move away under the pointer when the outcome comes or goes. */}
          <div className="grid min-h-11 min-w-[min(16rem,100%)] flex-1 items-center">
            <FormAlert id="otp-alert">{failure}</FormAlert>
            <StatusBanner>{done}</StatusBanner>
          </div>
        </div>
        <OpenedList codes={codes} onOpen={props.onOpen}>
          {(opened) => (
            <CodeList
              codes={opened}
              usedIds={props.usedIds}
              isBusy={acting !== null}
              onRemove={onRemove}
            />
          )}
        </OpenedList>
      </div>
    </Card>
  );
}

function ActButton({
  act,
  acting,
  ...rest
}: ButtonProps & Pick<OtpManagerProps, "acting"> & { act: Act }) {
  return <Button isBusy={acting === act} disabled={acting !== null && acting !== act} {...rest} />;
}

/** The list, or a way to open it after that has failed. */
function OpenedList({
  codes,
  onOpen,
  children,
}: Pick<OtpManagerProps, "codes" | "onOpen"> & {
  children: (codes: readonly OtpCode[]) => ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  // The button is gone while the list is being opened.
  useFocusHandover(codes === null, () => place.current);
  return (
    <div ref={place} tabIndex={-1}>
      {codes === undefined ? (
        <SkeletonRows count={2} />
      ) : codes === null ? (
        <Button variant="secondary" onClick={onOpen}>
          Open the list
        </Button>
      ) : (
        children(codes)
      )}
    </div>
  );
}

function CodesLeft(left: NonNullable<OtpManagerProps["left"]>) {
  const isFew = Math.min(left.own, left.everybody) <= OTP_CODES_LEFT_FEW;
  return (
    <Notice tone={isFew ? "warning" : "info"}>
      {`Each code works once per member. Left for you: ${left.own}. Left for everybody else: at least ${left.everybody}.`}
    </Notice>
  );
}

function usedText({ _id }: OtpCode, usedIds: OtpManagerProps["usedIds"]): string {
  if (usedIds === undefined) return "\u00a0";
  return usedIds.has(_id) ? "Used" : "Not used";
}

function CodeList({
  codes,
  usedIds,
  isBusy,
  onRemove,
}: Pick<OtpManagerProps, "usedIds" | "onRemove"> & { codes: readonly OtpCode[]; isBusy: boolean }) {
  const list = useRef<HTMLUListElement>(null);
  const removedAt = useRef(0);
  // A disabled button loses the focus: it returns after a refusal, and otherwise goes to the next code.
  useFocusHandover(isBusy ? null : codes, () => {
    const buttons = list.current?.querySelectorAll("button");
    return buttons?.[Math.min(removedAt.current, buttons.length - 1)] ?? list.current;
  });
  return (
    <ul
      ref={list}
      tabIndex={-1}
      aria-label="Codes"
      className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-2"
    >
      {codes.map((item, index) => (
        <li
          key={item._id}
          className="flex items-center justify-between gap-1 rounded-control border border-line py-1 pr-1 pl-3"
        >
          <span className="grid leading-tight">
            <span className="num font-semibold">{item.code}</span>
            <span className="text-[0.8125rem] text-muted">{usedText(item, usedIds)}</span>
          </span>
          <IconButton
            size="sm"
            label={`Remove ${item.code}`}
            disabled={isBusy}
            isPressedOnce
            onClick={() => {
              removedAt.current = index;
              onRemove(item._id);
            }}
          >
            <X aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
