import { formatAccountNumber } from "#shared/accountNumbers";
import { INSTITUTION } from "#shared/institution";
import { Landmark } from "lucide-react";
import { Badge } from "../../components/ui/Badge";
import { Card } from "../../components/ui/Card";
import { CopyButton } from "../../components/ui/CopyButton";
import { DefinitionList } from "../../components/ui/DefinitionList";
import { EmptyState } from "../../components/ui/EmptyState";

interface CheckingCardProps {
  readonly account:
    | {
        readonly accountNumber: string;
        readonly routingNumber: string;
        readonly holderName: string;
      }
    | undefined;
}

/** The Checking account's numbers, each with a copy button (spec section 2). */
export function CheckingCard({ account }: CheckingCardProps) {
  if (account === undefined) {
    return (
      <Card title="Checking Account">
        <EmptyState icon={<Landmark />} title="No accounts yet">
          Your accounts will show here as soon as they are open.
        </EmptyState>
      </Card>
    );
  }
  const routingNumber = account.routingNumber || INSTITUTION.routingNumber;
  return (
    <Card
      title="Checking Account"
      actions={
        <Badge tone="pos" hasDot>
          Active
        </Badge>
      }
    >
      <DefinitionList
        items={[
          {
            term: "Account number",
            value: formatAccountNumber(account.accountNumber),
            action: <CopyButton value={account.accountNumber} what="account number" />,
          },
          {
            term: "Routing number",
            value: routingNumber,
            action: <CopyButton value={routingNumber} what="routing number" />,
          },
          { term: "Account holder", value: account.holderName },
          { term: "Type", value: "Personal Checking" },
          { term: "Status", value: "Active" },
        ]}
      />
    </Card>
  );
}
