import { useEffect, useRef } from "react";
import { useQuery } from "convex/react";
import { api } from "#api";
import { announce } from "../../lib/announce";

/** Says "New application from ..." when one arrives; never on first load. */
export function useNewApplications(): void {
  const answer = useQuery(api.admin.users.list, {
    status: "pending",
    paginationOpts: { numItems: 1, cursor: null },
  });
  const seenSince = useRef<number | null>(null);
  const isLoaded = answer !== undefined;
  // If the queue was empty at first, every application is new.
  const { createdAt = 0, email } = answer?.page[0] ?? {};
  useEffect(() => {
    if (!isLoaded) return;
    const isNew = seenSince.current !== null && createdAt > seenSince.current;
    if (isNew && email !== undefined) announce(`New application from ${email}`);
    seenSince.current = Math.max(createdAt, seenSince.current ?? 0);
  }, [isLoaded, createdAt, email]);
}
