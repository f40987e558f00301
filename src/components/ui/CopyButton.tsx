import { Check, Copy } from "lucide-react";
import { useCopied } from "../../hooks/useCopied";
import { IconButton } from "./Button";

/** Copies `value`; for two seconds after that its name is "{What} copied". `what` is, for example, "account number". */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const { isCopied, copy } = useCopied();
  const copiedLabel = `${what.charAt(0).toUpperCase()}${what.slice(1)} copied`;
  return (
    <>
      <IconButton
        size="sm"
        label={isCopied ? copiedLabel : `Copy ${what}`}
        onClick={() => copy(value)}
      >
        {isCopied ? <Check aria-hidden className="text-pos" /> : <Copy aria-hidden />}
      </IconButton>
      {/* Outside the button: text inside one is not read as content. */}
      <span role="status" className="sr-only">
        {isCopied ? copiedLabel : ""}
      </span>
    </>
  );
}
