import { useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { ArrowLeft, KeyRound, RotateCcw, UserPlus, UserRoundSearch } from "lucide-react";
import clsx from "clsx";
import { plural } from "#shared/counts";
import { MESSAGES } from "#shared/errors";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { EmptyState } from "../../components/ui/EmptyState";
import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { PersonApprovals } from "../../features/adminApprovals/Approvals";
import { BackOfficePage } from "../../features/adminNav/BackOfficePage";
import { OtpManager } from "../../features/adminOtp/OtpManager";
import { useOtpManager } from "../../features/adminOtp/useOtpManager";
import { DeleteUserTransactionsPanel } from "../../features/adminTransactions/DeleteUserTransactionsPanel";
import { MemberStatements } from "../../features/adminStatements/MemberStatements";
import { UserMoney } from "../../features/adminTransactions/UserMoney";
import { useDeleteUserTransactions } from "../../features/adminTransactions/useDeleteUserTransactions";
import { CreateUserModal } from "../../features/adminUsers/CreateUserModal";
import { UserDetail } from "../../features/adminUsers/UserDetail";
import { UserFilterTabs } from "../../features/adminUsers/UserFilterTabs";
import { UserList, userRowId } from "../../features/adminUsers/UserList";
import { useCreateUser } from "../../features/adminUsers/useCreateUser";
import { useNewApplications } from "../../features/adminUsers/useNewApplications";
import { useUserList, type UserListPage } from "../../features/adminUsers/useUserList";
import { useFocusHandover } from "../../hooks/useFocusHandover";
import { PATHS } from "../../lib/paths";

const OTP_REGION_ID = "manage-otps";

const TITLE = "Admin Dashboard";

export function AdminRoute() {
  return (
    <ErrorBoundary
      name="The users"
      sentence={MESSAGES.LOAD_USERS_FAILED}
      frame={(failure) => <BackOfficePage title={TITLE}>{failure}</BackOfficePage>}
    >
      <AdminDashboard />
    </ErrorBoundary>
  );
}

function AdminDashboard() {
  const page = useUserList();
  useNewApplications();
  const [isOtpOpen, setIsOtpOpen] = useState(false);
  const [isCreating, setIsCreating] = useState(false);
  const create = useCreateUser(page.onSelect);
  return (
    <BackOfficePage
      title={TITLE}
      lead={waitingText(page.counts?.pending)}
      actions={
        <>
          <Button
            variant="secondary"
            aria-expanded={isOtpOpen}
            aria-controls={OTP_REGION_ID}
            onClick={() => setIsOtpOpen(!isOtpOpen)}
          >
            <KeyRound aria-hidden className="size-4" />
            Manage OTPs
          </Button>
          <Button onClick={() => setIsCreating(true)}>
            <UserPlus aria-hidden className="size-4" />
            Create New User
          </Button>
        </>
      }
    >
      <div id={OTP_REGION_ID} hidden={!isOtpOpen}>
        {isOtpOpen && (
          <ErrorBoundary name="The one-time codes">
            <Otps />
          </ErrorBoundary>
        )}
      </div>
      <UserFilterTabs counts={page.counts} value={page.filter} onValueChange={page.onFilterChange}>
        <ListAndDetail page={page} />
      </UserFilterTabs>
      <CreateUserModal isOpen={isCreating} onClose={() => setIsCreating(false)} {...create} />
    </BackOfficePage>
  );
}

/** Side by side on wide screens; below 1024 px the selection replaces the list. */
function ListAndDetail({ page }: { page: UserListPage }) {
  const { selectedId, onSelect } = page;
  const isSelected = selectedId !== null;
  const list = useRef<HTMLDivElement>(null);
  const detail = useRef<HTMLDivElement>(null);
  useFocusHandover(selectedId, (before) => {
    if (isSelected) return detail.current;
    // The row does not exist while a filter or a later page hides it.
    return (before && document.getElementById(userRowId(before))) || list.current;
  });
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[20.5rem_minmax(0,1fr)]">
      <div
        ref={list}
        tabIndex={-1}
        className={clsx("grid grid-cols-1 gap-5", isSelected && "max-lg:hidden")}
      >
        <UserList {...page.list} />
        <DeleteTransactions />
        <ResetPanel />
      </div>
      <div
        ref={detail}
        tabIndex={-1}
        role="group"
        aria-label="User details"
        className={clsx("grid grid-cols-1 gap-4", !isSelected && "max-lg:hidden")}
      >
        {isSelected ? (
          <>
            <div className="-ml-4 lg:hidden">
              <Button variant="ghost" className="-outline-offset-2" onClick={() => onSelect(null)}>
                <ArrowLeft aria-hidden className="size-4" />
                All users
              </Button>
            </div>
            <ErrorBoundary key={selectedId} name="This user">
              <UserDetail userId={selectedId} notice={<PersonApprovals userId={selectedId} />}>
                <UserMoney userId={selectedId} />
                <MemberStatements userId={selectedId} />
              </UserDetail>
            </ErrorBoundary>
          </>
        ) : (
          <Card>
            <EmptyState icon={<UserRoundSearch />} title="Select a user to see details" />
          </Card>
        )}
      </div>
    </div>
  );
}

function Otps() {
  return <OtpManager {...useOtpManager()} />;
}

function DeleteTransactions() {
  return <DeleteUserTransactionsPanel {...useDeleteUserTransactions()} />;
}

function ResetPanel() {
  const navigate = useNavigate();
  return (
    <Card
      title="Reset Transfer Counts"
      className="no-print"
      lead="Members are blocked after two transfers. Reset the count for one member or for everyone except the protected account."
    >
      <Button
        variant="secondary"
        isFullWidth
        onClick={() => void navigate(PATHS.adminResetTransfers)}
      >
        <RotateCcw aria-hidden className="size-4" />
        Reset Transfer Counts
      </Button>
    </Card>
  );
}

function waitingText(pending: number | undefined): string {
  if (pending === undefined) return "Loading";
  if (pending === 0) return "No applications are waiting for review.";
  return `${plural(pending, "application")} ${pending === 1 ? "is" : "are"} waiting for review.`;
}
