import { api } from "#api";
import { useQuery } from "convex/react";
import { Badge } from "../../components/ui/Badge";

/** "1 of 2 transfers used": kinder than a surprise. Nothing for a member without a limit. */
export function TransferUsage() {
  const usage = useQuery(api.transfers.usage, {});
  if (usage === undefined || usage.limit === null) return null;
  const used = Math.min(usage.used, usage.limit);
  return (
    <Badge tone={used >= usage.limit ? "warn" : "neutral"}>
      {`${used} of ${usage.limit} transfers used`}
    </Badge>
  );
}
