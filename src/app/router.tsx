import { Suspense } from "react";
import { Navigate, Route, Routes } from "react-router-dom";
import { NOT_YET_ONLINE_PATHS, PATHS } from "../lib/paths";
import { lazyPage } from "../lib/lazyPart";
import { PageBoundary } from "./PageBoundary";

const PublicFrame = lazyPage(() => import("./PublicFrame"), "PublicFrame");
const BackendFrame = lazyPage(() => import("./BackendFrame"), "BackendFrame");
const SignedInFrame = lazyPage(() => import("./SignedInFrame"), "SignedInFrame");
const AdminOnly = lazyPage(() => import("./AdminOnly"), "AdminOnly");

const HomeRoute = lazyPage(() => import("./routes/HomeRoute"), "HomeRoute");
const AboutRoute = lazyPage(() => import("./routes/AboutRoute"), "AboutRoute");
const ProductsRoute = lazyPage(() => import("./routes/ProductsRoute"), "ProductsRoute");
const ContactRoute = lazyPage(() => import("./routes/ContactRoute"), "ContactRoute");
const CalculatorsRoute = lazyPage(() => import("./routes/CalculatorsRoute"), "CalculatorsRoute");
const PrivacyRoute = lazyPage(() => import("./routes/PrivacyRoute"), "PrivacyRoute");
const TermsRoute = lazyPage(() => import("./routes/TermsRoute"), "TermsRoute");
const AccessibilityRoute = lazyPage(
  () => import("./routes/AccessibilityRoute"),
  "AccessibilityRoute",
);
const SecurityRoute = lazyPage(() => import("./routes/SecurityRoute"), "SecurityRoute");
const NotYetOnlineRoute = lazyPage(() => import("./routes/NotYetOnlineRoute"), "NotYetOnlineRoute");
const NotFoundRoute = lazyPage(() => import("./routes/NotFoundRoute"), "NotFoundRoute");
const RegistrationSuccessRoute = lazyPage(
  () => import("./routes/RegistrationSuccessRoute"),
  "RegistrationSuccessRoute",
);

const LoginRoute = lazyPage(() => import("./routes/LoginRoute"), "LoginRoute");
const SignupRoute = lazyPage(() => import("./routes/SignupRoute"), "SignupRoute");
const PendingApprovalRoute = lazyPage(
  () => import("./routes/PendingApprovalRoute"),
  "PendingApprovalRoute",
);

const DashboardRoute = lazyPage(() => import("./routes/DashboardRoute"), "DashboardRoute");
const TransactionsRoute = lazyPage(() => import("./routes/TransactionsRoute"), "TransactionsRoute");
const ProfileSettingsRoute = lazyPage(
  () => import("./routes/ProfileSettingsRoute"),
  "ProfileSettingsRoute",
);
const AccountSettingsRoute = lazyPage(
  () => import("./routes/AccountSettingsRoute"),
  "AccountSettingsRoute",
);

const AdminRoute = lazyPage(() => import("./routes/AdminRoute"), "AdminRoute");
const AdminResetTransfersRoute = lazyPage(
  () => import("./routes/AdminResetTransfersRoute"),
  "AdminResetTransfersRoute",
);
const AdminDepositsRoute = lazyPage(
  () => import("./routes/AdminDepositsRoute"),
  "AdminDepositsRoute",
);
const AdminApprovalsRoute = lazyPage(
  () => import("./routes/AdminApprovalsRoute"),
  "AdminApprovalsRoute",
);
const AdminMessagesRoute = lazyPage(
  () => import("./routes/AdminMessagesRoute"),
  "AdminMessagesRoute",
);
const AdminOutboxRoute = lazyPage(() => import("./routes/AdminOutboxRoute"), "AdminOutboxRoute");
const AdminAuditRoute = lazyPage(() => import("./routes/AdminAuditRoute"), "AdminAuditRoute");
const AdminPoliciesRoute = lazyPage(
  () => import("./routes/AdminPoliciesRoute"),
  "AdminPoliciesRoute",
);
const AdminHealthRoute = lazyPage(() => import("./routes/AdminHealthRoute"), "AdminHealthRoute");

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
    <PageBoundary isOutermost>
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
    </PageBoundary>
  );
}
