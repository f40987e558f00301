/** A bank with one application under review, and what its administrator can do with it. */
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import { DEMO_APPLICANTS } from "../../convex/model/dev/demoPeople";
import { recordOf } from "../../convex/model/registrations";
import { VERIFICATION_CHECKS } from "../../convex/shared/validators";
import { admin, newBackend, person, type Backend, type Person } from "./support";

export interface Review {
  readonly t: Backend;
  readonly root: Person;
  readonly lena: Person;
}

const [, , applicant] = DEMO_APPLICANTS;
if (applicant === undefined) throw new Error("No application");
/** What the application under review says. */
export const APPLICATION = applicant.application;

export async function newReview(): Promise<Review> {
  const t = newBackend();
  const root = await admin(t);
  const lena = await person(t, "lena@bank.example", {
    role: "pending",
    status: "pending",
    hasPassedCode: false,
    ...recordOf(APPLICATION),
  });
  return { t, root, lena };
}

/** Steps of the review that is current when they are taken. */
export const reviewSteps = (current: () => Review) => ({
  tickAll: async (userId: Id<"users">): Promise<void> => {
    for (const check of VERIFICATION_CHECKS) {
      const tick = { userId, check, isChecked: true };
      await current().root.as.mutation(api.admin.registrations.setCheck, tick);
    }
  },
  approve: (userId: Id<"users">) =>
    current().root.as.mutation(api.admin.registrations.approve, { userId }),
  reject: (userId: Id<"users">, reason = "No valid document") =>
    current().root.as.mutation(api.admin.registrations.reject, { userId, reason }),
  userOf: (userId: Id<"users">) => current().t.run((ctx) => ctx.db.get("users", userId)),
});
