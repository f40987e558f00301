import type { Receipt as ReceiptData } from "#shared/answers";
import { Printer } from "lucide-react";
import { useEffect, useRef } from "react";
import { ReceiptPaper } from "../../components/bank/ReceiptPaper";
import { Button } from "../../components/ui/Button";
import { printArea } from "../../lib/printArea";

interface ReceiptProps {
  readonly receipt: Omit<ReceiptData, "transferType">;
  /** The form for another transfer is below it, with a primary button of its own. */
  readonly isAboveForm?: boolean;
  readonly onDone: () => void;
}

/** What the member keeps of a transfer; can be printed on its own. */
export function Receipt({ receipt, isAboveForm = false, onDone }: ReceiptProps) {
  const paper = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="animate-popup">
      <ReceiptPaper ref={paper} receipt={receipt} isNew heading={heading} />
      <div className="mt-5 flex flex-wrap gap-3 max-sm:*:w-full print:hidden">
        {isAboveForm ? (
          <Button variant="secondary" onClick={onDone}>
            Close receipt
          </Button>
        ) : (
          <Button onClick={onDone}>Make another transfer</Button>
        )}
        <Button variant="secondary" onClick={() => printArea(paper.current)}>
          <Printer aria-hidden className="size-4" />
          Print receipt
        </Button>
      </div>
    </div>
  );
}
