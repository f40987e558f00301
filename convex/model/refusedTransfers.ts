/**
 * A line in the function log for each refused transfer, which is how somebody sees that an account is being tried.
 *
 * A refusal is thrown, which undoes everything its mutation wrote: a security event as well (README, decision 98).
 */
import { ConvexError } from "convex/values";
import { isAppErrorData } from "../shared/errors";
import type { Caller } from "./access";

/** Carries out a transfer, or logs its refusal with the person's id and its code, and passes it on. */
export async function logRefusal<T>({ user }: Caller, transfer: Promise<T>): Promise<T> {
  try {
    return await transfer;
  } catch (error) {
    if (error instanceof ConvexError && isAppErrorData(error.data)) {
      // eslint-disable-next-line no-console -- what is written to the database is undone
      console.info(`A transfer of ${user._id} was refused: ${error.data.code}`);
    }
    throw error;
  }
}
