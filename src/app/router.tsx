import { Suspense } from "react";
import { Navigate, Route, Routes } from "react-router-dom";
import { ErrorBoundary } from "../components/ui/ErrorBoundary";
import { NOT_YET_ONLINE_PATHS, PATHS } from "../lib/paths";
import { lazyRoute } from "./lazyRoute";

const PublicFrame = lazyRoute(() => import("./PublicFrame"), "PublicFrame");
const BackendFrame = lazyRoute(() => import("./BackendFrame"), "BackendFrame");
const SignedInFrame = lazyRoute(() => import("./SignedInFrame"), "SignedInFrame");
const AdminOnly = lazyRoute(() => import("./AdminOnly"), "AdminOnly");

const HomeRoute = lazyRoute(() => import("./routes/HomeRoute"), "HomeRoute");
const AboutRoute = lazyRoute(() => import("./routes/AboutRoute"), "AboutRoute");
const ProductsRoute = lazyRoute(() => import("./routes/ProductsRoute"), "ProductsRoute");
const ContactRoute = lazyRoute(() => import("./routes/ContactRoute"), "ContactRoute");
const CalculatorsRoute = lazyRoute(() => import("./routes/CalculatorsRoute"), "CalculatorsRoute");
const PrivacyRoute = lazyRoute(() => import("./routes/PrivacyRoute"), "PrivacyRoute");
const TermsRoute = lazyRoute(() => import("./routes/TermsRoute"), "TermsRoute");
const AccessibilityRoute = lazyRoute(
  () => import("./routes/AccessibilityRoute"),
  "AccessibilityRoute",
);
const SecurityRoute = lazyRoute(() => import("./routes/SecurityRoute"), "SecurityRoute");
const NotYetOnlineRoute = lazyRoute(
  () => import("./routes/NotYetOnlineRoute"),
  "NotYetOnlineRoute",
);
const NotFoundRoute = lazyRoute(() => import("./routes/NotFoundRoute"), "NotFoundRoute");
const RegistrationSuccessRoute = lazyRoute(
  () => import("./routes/RegistrationSuccessRoute"),
  "RegistrationSuccessRoute",
);

const LoginRoute = lazyRoute(() => import("./routes/LoginRoute"), "LoginRoute");
const SignupRoute = lazyRoute(() => import("./routes/SignupRoute"), "SignupRoute");
const PendingApprovalRoute = lazyRoute(
  () => import("./routes/PendingApprovalRoute"),
  "PendingApprovalRoute",
);

const DashboardRoute = lazyRoute(() => import("./routes/DashboardRoute"), "DashboardRoute");
const TransactionsRoute = lazyRoute(
  () => import("./routes/TransactionsRoute"),
  "TransactionsRoute",
);
const ProfileSettingsRoute = lazyRoute(
  () => import("./routes/ProfileSettingsRoute"),
  "ProfileSettingsRoute",
);
const AccountSettingsRoute = lazyRoute(
  () => import("./routes/AccountSettingsRoute"),
  "AccountSettingsRoute",
);

const AdminRoute = lazyRoute(() => import("./routes/AdminRoute"), "AdminRoute");
const AdminResetTransfersRoute = lazyRoute(
  () => import("./routes/AdminResetTransfersRoute"),
  "AdminResetTransfersRoute",
);
const AdminDepositsRoute = lazyRoute(
  () => import("./routes/AdminDepositsRoute"),
  "AdminDepositsRoute",
);
const AdminApprovalsRoute = lazyRoute(
  () => import("./routes/AdminApprovalsRoute"),
  "AdminApprovalsRoute",
);
const AdminMessagesRoute = lazyRoute(
  () => import("./routes/AdminMessagesRoute"),
  "AdminMessagesRoute",
);
const AdminOutboxRoute = lazyRoute(() => import("./routes/AdminOutboxRoute"), "AdminOutboxRoute");
const AdminAuditRoute = lazyRoute(() => import("./routes/AdminAuditRoute"), "AdminAuditRoute");
const AdminPoliciesRoute = lazyRoute(
  () => import("./routes/AdminPoliciesRoute"),
  "AdminPoliciesRoute",
);
const AdminHealthRoute = lazyRoute(() => import("./routes/AdminHealthRoute"), "AdminHealthRoute");

const publicRoutes = (
  <Route element={<PublicFrame />}>
    <Route path={PATHS.home} element={<HomeRoute />} />
    <Route path={PATHS.about} element={<AboutRoute />} />
    <Route path={PATHS.products} element={<ProductsRoute />} />
    <Route path={PATHS.contact} element={<ContactRoute />} />
    <Route path={PATHS.calculators} element={<CalculatorsRoute />} />
    <Route path={PATHS.privacy} element={<PrivacyRoute />} />
    <Route path={PATHS.terms} element={<TermsRoute />} />
    <Route path={PATHS.accessibility} element={<AccessibilityRoute />} />
    <Route path={PATHS.security} element={<SecurityRoute />} />
    {NOT_YET_ONLINE_PATHS.map((path) => (
      <Route key={path} path={path} element={<NotYetOnlineRoute />} />
    ))}
  </Route>
);

const memberRoutes = (
  <Route element={<SignedInFrame />}>
    <Route path={PATHS.dashboard} element={<DashboardRoute />} />
    <Route path={PATHS.transactions} element={<TransactionsRoute />} />
    <Route path={PATHS.profileSettings} element={<ProfileSettingsRoute />} />
    <Route path={PATHS.accountSettings} element={<AccountSettingsRoute />} />
    <Route element={<AdminOnly />}>
      <Route path={PATHS.admin} element={<AdminRoute />} />
      <Route path={PATHS.adminResetTransfers} element={<AdminResetTransfersRoute />} />
      <Route path={PATHS.adminDeposits} element={<AdminDepositsRoute />} />
      <Route path={PATHS.adminApprovals} element={<AdminApprovalsRoute />} />
      <Route path={PATHS.adminMessages} element={<AdminMessagesRoute />} />
      <Route path={PATHS.adminOutbox} element={<AdminOutboxRoute />} />
      <Route path={PATHS.adminAudit} element={<AdminAuditRoute />} />
      <Route path={PATHS.adminPolicies} element={<AdminPoliciesRoute />} />
      <Route path={PATHS.adminHealth} element={<AdminHealthRoute />} />
    </Route>
  </Route>
);

/** The route table of spec section 2. Only pages below BackendFrame load the Convex client. */
export function AppRoutes() {
  return (
    <ErrorBoundary name="This page">
      <Suspense fallback={<div className="min-h-dvh" />}>
        <Routes>
          {publicRoutes}
          <Route path={PATHS.registrationSuccess} element={<RegistrationSuccessRoute />} />
          <Route path={PATHS.register} element={<Navigate to={PATHS.signup} replace />} />
          <Route element={<BackendFrame />}>
            <Route path={PATHS.login} element={<LoginRoute />} />
            <Route path={PATHS.signup} element={<SignupRoute />} />
            <Route path={PATHS.pendingApproval} element={<PendingApprovalRoute />} />
            {memberRoutes}
          </Route>
          <Route path="*" element={<NotFoundRoute />} />
        </Routes>
      </Suspense>
    </ErrorBoundary>
  );
}
