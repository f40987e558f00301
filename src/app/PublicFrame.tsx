import { Suspense } from "react";
import { Outlet } from "react-router-dom";
import { PublicLayout } from "../components/layout/PublicLayout";

/** The frame around every public page; it stays while the page's own chunk loads. */
export function PublicFrame() {
  return (
    <PublicLayout>
      <Suspense fallback={<div className="min-h-dvh" />}>
        <Outlet />
      </Suspense>
    </PublicLayout>
  );
}
