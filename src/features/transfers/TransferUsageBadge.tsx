import { Badge } from "../../components/ui/Badge";
import { isGateClosed, type TransferUsage } from "./useTransferUsage";

/** "1 of 2 transfers used": kinder than a surprise. Nothing for a member without a limit. */
export function TransferUsageBadge({ usage }: { readonly usage: TransferUsage | null }) {
  if (usage === null) return null;
  return (
    <Badge tone={isGateClosed(usage) ? "warn" : "neutral"}>
      {`${usage.used} of ${usage.limit} transfers used`}
    </Badge>
  );
}
