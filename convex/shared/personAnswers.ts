/** What administrators read about people, in lists and in detail. Not here: the fields of a record (shared/personFields). */
import { v } from "convex/values";
import {
  vContactDetails,
  vDocuments,
  vFlatAddress,
  vInfoRequest,
  vPersonalInfo,
  vRestriction,
  vTick,
} from "./personFields";
import { vAccountType, vRole, vShownStatus } from "./validators";

const rowFields = {
  _id: v.id("users"),
  email: v.string(),
  name: v.string(),
  role: vRole,
  status: vShownStatus,
  accountCount: v.number(),
  createdAt: v.number(),
  isProtected: v.boolean(),
};

/** A person in the list. */
export const vPersonRow = v.object({ ...rowFields, hasAnswered: v.boolean() });

/** A person in the detail pane and the verification dialog. */
export const vPersonDetail = v.object({
  ...rowFields,
  phone: v.optional(v.string()),
  registrationDate: v.number(),
  createdBy: v.optional(v.string()),
  transferCount: v.number(),
  personalInfo: v.optional(vPersonalInfo),
  contactDetails: v.optional(vContactDetails),
  flatAddress: v.optional(vFlatAddress),
  documents: v.optional(vDocuments),
  rejectionReason: v.optional(v.string()),
  rejectedAt: v.optional(v.number()),
  /** Their membership was ended by a rejection. */
  isFormerMember: v.boolean(),
  disabledAt: v.optional(v.number()),
  /** Newest first. */
  infoRequests: v.array(vInfoRequest),
  verificationChecks: v.array(vTick),
  restriction: v.union(v.null(), vRestriction),
  accounts: v.array(
    v.object({
      _id: v.id("accounts"),
      type: vAccountType,
      accountNumber: v.string(),
      routingNumber: v.string(),
      balanceCents: v.int64(),
      availableCents: v.int64(),
      updatedAt: v.number(),
    }),
  ),
});
