import { Badge } from "../../components/ui/Badge";
import type { TransferUsage } from "./useTransferUsage";

/** "1 of 2 transfers used": kinder than a surprise. Renders nothing for a member without a limit. */
export function TransferUsageBadge({ usage }: { readonly usage: TransferUsage | null }) {
  if (usage === null || usage.limit === null) return null;
  return (
    <Badge tone={usage.used >= usage.limit ? "warn" : "neutral"}>
      {`${usage.used} of ${usage.limit} transfers used`}
    </Badge>
  );
}
