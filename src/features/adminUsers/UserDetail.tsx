import { UserRoundX } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Card } from "../../components/ui/Card";
import { EmptyState } from "../../components/ui/EmptyState";
import { PageSpinner } from "../../components/ui/Spinner";
import { MESSAGES } from "#shared/errors";
import { useOfflineReason } from "../../hooks/useConnection";
import { AccountCard, type AdminAccount } from "./AccountCard";
import { CardsCard } from "./CardsCard";
import { CorrectionDialog } from "./CorrectionDialog";
import { IdentityDialog } from "./IdentityDialog";
import { InfoRequestNote } from "./InfoRequestNote";
import { RestrictionCard } from "./RestrictionCard";
import { StandingCard } from "./StandingCard";
import type { UserDetailData } from "./userDetailData";
import { UserHeader } from "./UserHeader";
import { useAccountEdit, useUserDetail } from "./useUserDetail";
import { useCards } from "./useCards";
import { useCorrection } from "./useCorrection";
import { useIdentity } from "./useIdentity";
import { useRestriction } from "./useRestriction";
import { useStanding } from "./useStanding";
import { useVerification } from "./useVerification";
import { VerificationDialog } from "./VerificationDialog";

/** Two beside each other where both have room, which they have not with much larger text. */
const PAIR =
  "grid grid-cols-1 items-start gap-5 md:grid-cols-[repeat(auto-fill,minmax(min(100%,max(16rem,45%)),1fr))]";

/**
 * The selected user: header, the route's notice of waiting changes (`notice`), accounts, then what the route adds
 * (money), then standing and cards.
 */
export function UserDetail({
  userId,
  notice,
  children,
}: {
  userId: string;
  notice: ReactNode;
  children: ReactNode;
}) {
  const user = useUserDetail(userId);
  if (user === undefined) return <PageSpinner label="Loading user" />;
  if (user === null) {
    return (
      <Card>
        <EmptyState icon={<UserRoundX />} title={MESSAGES.USER_NOT_FOUND}>
          There is no user at this address. Choose one from the list.
        </EmptyState>
      </Card>
    );
  }
  return (
    <LoadedUser user={user} notice={notice}>
      {children}
    </LoadedUser>
  );
}

function LoadedUser({
  user,
  notice,
  children,
}: {
  user: UserDetailData;
  notice: ReactNode;
  children: ReactNode;
}) {
  // While the verification dialog is open: the status it opened with.
  const [openedAt, setOpenedAt] = useState<UserDetailData["status"] | null>(null);
  const seenStatus = openedAt ?? user.status;
  const verification = useVerification(user, seenStatus);
  const { done: identityDone, ...identity } = useIdentity(user);
  const [isIdentityOpen, setIsIdentityOpen] = useState(false);
  const { done: correctionDone, current, ...correction } = useCorrection(user);
  const [isCorrectionOpen, setIsCorrectionOpen] = useState(false);
  return (
    <div className="grid grid-cols-1 gap-5">
      <UserHeader
        user={user}
        done={verification.done ?? identityDone ?? correctionDone}
        onVerify={() => setOpenedAt(user.status)}
        onEditIdentity={() => setIsIdentityOpen(true)}
        onCorrect={current === null ? null : () => setIsCorrectionOpen(true)}
      />
      {notice}
      {openedAt === null && <InfoRequestNote user={user} />}
      {user.accounts.length > 0 && (
        <div className={PAIR}>
          {user.accounts.map((account) => (
            <UserAccount key={account._id} account={account} />
          ))}
        </div>
      )}
      {user.accounts.length > 0 && children}
      <div className={PAIR}>
        <Restriction user={user} />
        <Standing user={user} />
      </div>
      <Cards user={user} />
      <IdentityDialog
        {...identity}
        isOpen={isIdentityOpen}
        onClose={() => setIsIdentityOpen(false)}
      />
      {current !== null && (
        <CorrectionDialog
          {...correction}
          current={current}
          isOpen={isCorrectionOpen}
          onClose={() => setIsCorrectionOpen(false)}
        />
      )}
      <VerificationDialog
        {...verification}
        isOpen={openedAt !== null}
        onClose={() => setOpenedAt(null)}
        user={user}
        seenStatus={seenStatus}
      />
    </div>
  );
}

// Each its own component: what changes with time or with a call of one card renders no other.

function Restriction({ user }: { user: UserDetailData }) {
  return <RestrictionCard {...useRestriction(user)} />;
}

function Standing({ user }: { user: UserDetailData }) {
  return <StandingCard {...useStanding(user)} />;
}

function Cards({ user }: { user: UserDetailData }) {
  return <CardsCard {...useCards(user)} />;
}

function UserAccount({ account }: { account: AdminAccount }) {
  const edit = useAccountEdit();
  const offlineReason = useOfflineReason("offlineChanges");
  return <AccountCard account={account} {...edit} disabledReason={offlineReason} />;
}
