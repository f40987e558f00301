/** Every address of the product. Links without a page of their own lead to an honest notice. */

export const PATHS = {
  home: "/",
  about: "/about",
  products: "/products",
  contact: "/contact",
  calculators: "/calculators",
  privacy: "/privacy",
  terms: "/terms",
  accessibility: "/accessibility",
  security: "/security",
  login: "/login",
  signup: "/signup",
  /** Redirects to signup. */
  register: "/register",
  registrationSuccess: "/registration-success",
  pendingApproval: "/pending-approval",
  dashboard: "/dashboard",
  transactions: "/transactions",
  profileSettings: "/settings/profile",
  accountSettings: "/settings/account",
  admin: "/admin",
  adminResetTransfers: "/admin/reset-transfers",
  adminDeposits: "/admin/deposits",
  adminApprovals: "/admin/approvals",
  adminMessages: "/admin/messages",
  adminOutbox: "/admin/outbox",
  adminAudit: "/admin/audit",
  adminPolicies: "/admin/policies",
  adminHealth: "/admin/health",
} as const;

/** Places on the dashboard (spec section 2). */
export const DASHBOARD_ANCHORS = {
  transfers: "/dashboard#transfer-section",
  cards: "/dashboard#quick-actions-cards",
  billPay: "/dashboard#quick-actions-billpay",
} as const;

/** Spec section 2 "Links with no route in the table", except those that have their own page. */
export const NOT_YET_ONLINE_PATHS = [
  "/locations",
  "/careers",
  "/accounts/checking",
  "/accounts/savings",
  "/credit-cards",
  "/credit-card",
  "/mortgages",
  "/community",
  "/investments",
  "/loans",
  "/schedule",
  "/business/register",
  "/business/credit-card",
  "/business/loans",
  "/business/savings",
  "/merchant-services",
  "/treasury-management",
] as const;
