import { Ellipsis, FilePen, Lock, ScrollText, ShieldCheck, UserRoundPen } from "lucide-react";
import { Avatar } from "../../components/ui/Avatar";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { buttonStyle } from "../../components/ui/buttonStyle";
import { Menu, type MenuEntry } from "../../components/ui/Menu";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { formatLongDate } from "../../lib/format";
import { PATHS } from "../../lib/paths";
import type { UserDetailData } from "./userDetailData";

interface UserHeaderProps {
  user: UserDetailData;
  onVerify: () => void;
  /** Opens the dialog for name and e-mail. */
  onEditIdentity: () => void;
  /** Opens the dialog for what the application says; null where there is none. */
  onCorrect: (() => void) | null;
  /** Outcome of the last decision or change, for a few seconds. */
  done: string | null;
}

/**
 * Who this is, since when, and the status; opens the verification. What is needed less often is in a menu, so that on a
 * phone the accounts are not a screen away.
 */
export function UserHeader(props: UserHeaderProps) {
  const { user, done } = props;
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
        <Actions {...props} />
      </div>
      <StatusBanner>{done}</StatusBanner>
    </section>
  );
}

function Actions({ user, onVerify, onEditIdentity, onCorrect }: UserHeaderProps) {
  const entries: MenuEntry[] = [
    { label: "Change name or email", icon: <UserRoundPen aria-hidden />, onSelect: onEditIdentity },
    ...(onCorrect === null
      ? []
      : [{ label: "Correct application", icon: <FilePen aria-hidden />, onSelect: onCorrect }]),
    {
      label: "Audit log",
      icon: <ScrollText aria-hidden />,
      to: `${PATHS.adminAudit}?person=${user._id}`,
    },
  ];
  return (
    <div className="flex flex-wrap gap-2 max-sm:w-full">
      <Button onClick={onVerify} className="max-sm:flex-auto">
        <ShieldCheck aria-hidden className="size-4" />
        Verify User
      </Button>
      <Menu
        label="More for this user"
        trigger={
          <>
            <Ellipsis aria-hidden className="size-4" />
            More
          </>
        }
        triggerClassName={buttonStyle("secondary", "md", false)}
        entries={entries}
      />
    </div>
  );
}
