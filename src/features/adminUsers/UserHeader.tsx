import { FilePen, Lock, ScrollText, ShieldCheck, UserRoundPen } from "lucide-react";
import { Avatar } from "../../components/ui/Avatar";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { ButtonLink } from "../../components/ui/ButtonLink";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { formatLongDate } from "../../lib/format";
import { PATHS } from "../../lib/paths";
import type { UserDetailData } from "./userDetailData";

/** Who this is, since when, and the status; opens the dialogs for name and e-mail, and for the verification. */
export function UserHeader({
  user,
  onVerify,
  onEditIdentity,
  onCorrect,
  done,
}: {
  user: UserDetailData;
  onVerify: () => void;
  /** Opens the dialog for name and e-mail. */
  onEditIdentity: () => void;
  /** Opens the dialog for what the application says; null where there is none. */
  onCorrect: (() => void) | null;
  /** Outcome of the last decision or change, for a few seconds. */
  done: string | null;
}) {
  return (
    <section
      aria-label="User"
      className="grid grid-cols-1 gap-3 rounded-card border border-line bg-surface p-5 shadow-card md:p-6"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Avatar name={user.name} className="size-13 text-base" />
        <div className="min-w-0 flex-1 basis-60">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h2 className="text-card-title min-w-0 wrap-anywhere">{user.name}</h2>
            <Badge hasDot>{user.status}</Badge>
            {user.role === "admin" && <Badge tone="beacon">Admin</Badge>}
            {user.isProtected && (
              <span className="inline-flex items-center gap-1 text-sm text-muted">
                <Lock aria-hidden className="size-3.5" />
                Protected account
              </span>
            )}
          </div>
          <p className="mt-0.5 text-sm wrap-anywhere text-muted">
            {user.email},{" "}
            <span className="inline-block">created {formatLongDate(user.createdAt)}</span>
            {user.createdBy !== undefined && ` by ${user.createdBy}`}
          </p>
        </div>
        <div className="flex flex-wrap gap-2 max-sm:grid max-sm:w-full">
          <ButtonLink to={`${PATHS.adminAudit}?person=${user._id}`} variant="secondary">
            <ScrollText aria-hidden className="size-4" />
            Audit log
          </ButtonLink>
          <Button variant="secondary" onClick={onEditIdentity}>
            <UserRoundPen aria-hidden className="size-4" />
            Change name or email
          </Button>
          {onCorrect !== null && (
            <Button variant="secondary" onClick={onCorrect}>
              <FilePen aria-hidden className="size-4" />
              Correct application
            </Button>
          )}
          <Button onClick={onVerify}>
            <ShieldCheck aria-hidden className="size-4" />
            Verify User
          </Button>
        </div>
      </div>
      <StatusBanner>{done}</StatusBanner>
    </section>
  );
}
