import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { BackOfficePage } from "../../features/adminNav/BackOfficePage";
import { OutboxList } from "../../features/adminOutbox/OutboxList";
import { useOutbox } from "../../features/adminOutbox/useOutbox";

export function AdminOutboxRoute() {
  return (
    <BackOfficePage
      title="Outbox"
      lead="Every email the product wrote. They are delivered when a mail provider is configured."
    >
      <ErrorBoundary name="The outbox">
        <Outbox />
      </ErrorBoundary>
    </BackOfficePage>
  );
}

function Outbox() {
  return <OutboxList {...useOutbox()} />;
}
