import { AppRoutes } from "./router";
import { ScrollManager } from "./ScrollManager";

/** Everything inside a router: the browser's here, a static one when pages are made at build time. */
export function App() {
  return (
    <>
      <ScrollManager />
      <AppRoutes />
    </>
  );
}
