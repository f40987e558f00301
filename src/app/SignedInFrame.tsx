import { Suspense, useCallback, useEffect, useState, type ReactNode } from "react";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { MEMBER_SESSION_LIFE_MS } from "#shared/limits";
import { MemberLayout } from "../components/layout/MemberLayout";
import { TopNavigation } from "../components/layout/TopNavigation";
import { ConnectionBanner } from "../components/ui/ConnectionBanner";
import { LiveAnnouncer } from "../components/ui/LiveAnnouncer";
import { PageSpinner } from "../components/ui/Spinner";
import { Toasts } from "../components/ui/Toasts";
import { useSignOut } from "../features/auth/useSignOut";
import { NotificationsBell } from "../features/notifications/NotificationsBell";
import { IdleWatch } from "../features/session/IdleWatch";
import { useSharedRefreshToken } from "../features/session/useSharedRefreshToken";
import { useSharedSignOut } from "../features/session/useSharedSignOut";
import { useEndSession } from "../hooks/useEndSession";
import { clearAnnouncements } from "../lib/announce";
import { useViewer, type Viewer } from "../lib/convexViewer";
import { claimDrafts } from "../lib/drafts";
import { forgetKept } from "../lib/kept";
import { guardMovedRows } from "../lib/movedRows";
import { PATHS } from "../lib/paths";
import { leaveNothingToRestore } from "../lib/restoring";
import { clearToasts } from "../lib/toasts";
import type { FrameContext } from "./frameContext";
import type { LoginState } from "./loginState";
import { PageBoundary } from "./PageBoundary";

const LOADING = "Loading your account";

/**
 * The guard of every signed-in page, then its frame. Fails closed: nothing is shown before the
 * server has said who this is. The guard decides what is shown; the server decides what is allowed.
 */
export function SignedInFrame() {
  const viewer = useViewer();
  useSharedRefreshToken();
  const { pathname, search, hash } = useLocation();
  const [insider, setInsider] = useState<string>();
  const [isLeaving, setIsLeaving] = useState(false);
  const isInside = viewer?.place === "member" || viewer?.place === "admin";
  if (isInside && insider !== viewer.userId) setInsider(viewer.userId);

  const banner = <ConnectionBanner />;
  if (viewer === undefined) {
    return (
      <>
        {banner}
        {/* Where it is once the frame appears above it. */}
        <PageSpinner label={LOADING} className="pt-40" />
      </>
    );
  }
  if (viewer?.place === "pending" || viewer?.place === "rejected") {
    return <Navigate to={PATHS.pendingApproval} replace />;
  }
  if (!viewer || !isInside) {
    const state: LoginState =
      insider !== undefined && !isLeaving
        ? { hasEnded: true, from: `${pathname}${search}${hash}`, userId: insider }
        : {};
    return <Navigate to={PATHS.login} replace state={state} />;
  }
  return <Frame key={viewer.userId} viewer={viewer} banner={banner} setIsLeaving={setIsLeaving} />;
}

function Frame({
  viewer,
  banner,
  setIsLeaving,
}: {
  viewer: Viewer;
  banner: ReactNode;
  setIsLeaving: (isLeaving: boolean) => void;
}) {
  // Before anything below reads a draft; an effect would come after the forms have read theirs.
  useState(() => claimDrafts(viewer.userId));
  const signOutHere = useSignOut();
  const endSession = useEndSession();
  const [isOver, setIsOver] = useState(false);
  const { pathname } = useLocation();
  const signOut = useCallback(() => {
    setIsLeaving(true);
    return signOutHere();
  }, [setIsLeaving, signOutHere]);
  const signOutEverywhere = useSharedSignOut(viewer.userId, signOut);
  useEffect(guardMovedRows, []);
  useEffect(leaveNothingToRestore, []);
  useEffect(() => {
    // What arrives from now on is not an echo of signing in.
    clearAnnouncements();
    return () => {
      clearToasts();
      clearAnnouncements();
      forgetKept();
    };
  }, []);
  // Without a connection, the session ends only after a wait.
  if (isOver) return <PageSpinner label="Signing you out" className="pt-40" />;
  return (
    <>
      <MemberLayout
        navigation={
          <TopNavigation
            name={viewer.name}
            email={viewer.email}
            isAdmin={viewer.place === "admin"}
            notifications={<NotificationsBell />}
            onSignOut={() => void signOutEverywhere()}
          />
        }
        banner={banner}
      >
        <PageBoundary key={pathname}>
          <Suspense fallback={<PageSpinner label={LOADING} />}>
            <Outlet context={{ signOut } satisfies FrameContext} />
          </Suspense>
        </PageBoundary>
      </MemberLayout>
      <IdleWatch
        userId={viewer.userId}
        // No session outlives that, and without a connection nobody says so.
        idleTimeoutMs={viewer.idleTimeoutMs ?? MEMBER_SESSION_LIFE_MS}
        onOver={() => {
          setIsOver(true);
          void endSession();
        }}
        onSignOut={() => void signOutEverywhere()}
      />
      <Toasts />
      <LiveAnnouncer />
    </>
  );
}
