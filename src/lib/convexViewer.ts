/** Who is signed in and where they belong, for every guard and screen. */
import { useConvexAuth, useQuery } from "convex/react";
import type { FunctionReturnType } from "convex/server";
import { api } from "#api";

export type Viewer = NonNullable<FunctionReturnType<typeof api.viewer.get>>;

/** `undefined` while unknown, `null` for a visitor. Callers treat `undefined` as "not allowed yet". */
export function useViewer(): Viewer | null | undefined {
  const { isLoading, isAuthenticated } = useConvexAuth();
  const viewer = useQuery(api.viewer.get, isAuthenticated ? {} : "skip");
  if (isLoading) return undefined;
  return isAuthenticated ? viewer : null;
}
