import { plural } from "#shared/counts";
import { api } from "#api";
import { useMutation, useQuery } from "convex/react";
import { Monitor } from "lucide-react";
import { useRef, useState } from "react";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { FormAlert } from "../../components/ui/FormAlert";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { useCommand } from "../../hooks/useCommand";
import { useOfflineReason } from "../../hooks/useConnection";
import { useFocusHandover } from "../../hooks/useFocusHandover";
import { useNow } from "../../hooks/useNow";
import { formatAgo, formatDateTime, inOnePiece } from "../../lib/format";
import { deviceName } from "./deviceName";

/** Where the member is signed in, live, and how to end it; `onSignOut` ends the session of this tab. */
export function SessionsCard({ onSignOut }: { readonly onSignOut: () => Promise<void> }) {
  const sessions = useQuery(api.profile.sessions, {});
  const end = useCommand(useMutation(api.profile.signOutSession), { fallback: "SAVE_FAILED" });
  const endOthers = useCommand(useMutation(api.profile.signOutEverywhereElse), {
    fallback: "SAVE_FAILED",
  });
  const offlineReason = useOfflineReason("offlineChanges");
  const nowMs = useNow();
  const [status, setStatus] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  // A session that was signed out goes, and with it the button that had the focus. Do not focus the next such button:
  // one more press would end another session.
  useFocusHandover(status, () => list.current);

  const clearOutcomes = () => {
    setStatus(null);
    end.clear();
    endOthers.clear();
  };
  const onEnd = async (handle: string) => {
    clearOutcomes();
    const { isOk } = await end.run({ handle });
    if (isOk) setStatus("Session signed out.");
  };
  const onEndOthers = async () => {
    clearOutcomes();
    const answer = await endOthers.run({});
    if (answer.isOk) setStatus(`${plural(answer.value.count, "other session")} signed out.`);
  };

  return (
    <Card
      title="Active sessions"
      actions={
        <Button
          variant="secondary"
          size="sm"
          isBusy={endOthers.isBusy}
          disabled={offlineReason !== undefined}
          onClick={() => void onEndOthers()}
        >
          Sign out everywhere else
        </Button>
      }
    >
      <StatusBanner className="mb-4">{status}</StatusBanner>
      {offlineReason !== undefined && <p className="mb-4 text-sm text-muted">{offlineReason}</p>}
      <FormAlert className="mb-4">{(end.refusal ?? endOthers.refusal)?.message}</FormAlert>
      {sessions === undefined ? (
        <SkeletonRows count={2} />
      ) : (
        <ul ref={list} tabIndex={-1} aria-label="Sessions" className="rounded-control">
          {sessions.map((session) => (
            <li
              key={session.handle}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0 first:pt-0 last:pb-0"
            >
              <Monitor aria-hidden className="size-5 shrink-0 text-muted" />
              <div className="min-w-[min(10rem,100%)] flex-1">
                <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                  <span id={`session-${session.handle}`} className="font-semibold">
                    {deviceName(session.userAgent)}
                  </span>
                  {session.isCurrent && <Badge tone="pos">This session</Badge>}
                </p>
                <p className="text-sm text-muted">
                  Signed in {inOnePiece(formatDateTime(session.createdAt))},{" "}
                  <span className="whitespace-nowrap">
                    active {formatAgo(session.lastActiveAt, nowMs)}
                  </span>
                </p>
              </div>
              <Button
                variant="dangerGhost"
                size="sm"
                className="max-sm:ml-6 sm:-mr-3"
                aria-describedby={`session-${session.handle}`}
                isBusy={end.pending.some(([{ handle }]) => handle === session.handle)}
                disabled={offlineReason !== undefined}
                isPressedOnce
                onClick={() => void (session.isCurrent ? onSignOut() : onEnd(session.handle))}
              >
                Sign out this session
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
