import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { ContactMessages } from "../../features/adminInbox/ContactMessages";
import { useContactMessages } from "../../features/adminInbox/useContactMessages";
import { BackOfficePage } from "../../features/adminNav/BackOfficePage";

export function AdminMessagesRoute() {
  return (
    <BackOfficePage title="Messages" lead="What visitors wrote on the contact page, newest first.">
      <ErrorBoundary name="Messages">
        <Messages />
      </ErrorBoundary>
    </BackOfficePage>
  );
}

function Messages() {
  return <ContactMessages {...useContactMessages()} />;
}
