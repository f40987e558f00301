/** What a guard tells the sign-in page through the history entry. */
export interface LoginState {
  /** The session ended by itself, not by signing out. */
  hasEnded?: boolean;
  /** The application was approved while its page was open. */
  isApproved?: boolean;
  /** Path, query and fragment to return to. */
  from?: string;
  /** Whose session ended: `from` may hold what this person searched for. */
  userId?: string;
}

/** History state is not trusted: only one of our own paths is accepted. */
export function readLoginState(state: unknown): LoginState {
  if (typeof state !== "object" || state === null) return {};
  const { hasEnded, isApproved, from, userId } = state as Record<string, unknown>;
  const result: LoginState = { hasEnded: hasEnded === true };
  if (isApproved === true) result.isApproved = true;
  if (typeof from === "string" && /^\/(?!\/)/.test(from)) result.from = from;
  if (typeof userId === "string") result.userId = userId;
  return result;
}
