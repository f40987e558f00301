import type { Cents } from "#shared/money";
import type { Category, TransactionStatus, TransactionType } from "#shared/validators";
import type { ReactNode } from "react";
import { inOnePiece } from "../../lib/format";
import { Badge } from "../ui/Badge";
import { CategoryIcon } from "./CategoryIcon";
import { SignedAmount } from "./SignedAmount";

/** The part of a transaction that a row shows. */
export interface TxRowData {
  type: TransactionType;
  amountCents: Cents;
  description: string;
  category: Category;
  status: TransactionStatus;
  /** Time in ms since the epoch. */
  date: number;
}

interface TxRowProps {
  tx: TxRowData;
  /** The line below the description. */
  meta: string;
  /** A small button. */
  action?: ReactNode;
}

/** One transaction in a list: icon, description, details, status if not Completed, amount. */
export function TxRow({ tx, meta, action }: TxRowProps) {
  return (
    <div className="@container">
      <div className="flex flex-wrap items-center gap-x-3.5 gap-y-1 py-2">
        <CategoryIcon category={tx.category} />
        {/* Next to the icon whatever its words; the amount goes below before one of them would be broken. */}
        <div className="max-w-[calc(100%-3.375rem)] min-w-28 flex-1 basis-[min-content] wrap-break-word">
          <p className="font-semibold">{tx.description}</p>
          <p className="text-sm text-muted">{inOnePiece(meta)}</p>
        </div>
        <div className="ml-auto flex max-w-full shrink-0 flex-col items-end gap-1 @max-[16rem]:flex-row-reverse @max-[16rem]:flex-wrap @max-[16rem]:items-center @max-[16rem]:gap-2 @min-[28rem]:flex-row-reverse @min-[28rem]:items-center @min-[28rem]:gap-8">
          <SignedAmount
            type={tx.type}
            amountCents={tx.amountCents}
            className="@max-[16rem]:wrap-anywhere @max-[16rem]:whitespace-normal @min-[28rem]:min-w-24 @min-[28rem]:text-right"
          />
          {tx.status !== "Completed" && <Badge>{tx.status}</Badge>}
          {action}
        </div>
      </div>
    </div>
  );
}
