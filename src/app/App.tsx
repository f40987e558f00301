import { AppRoutes } from "./router";
import { ScrollManager } from "./ScrollManager";

/** Everything inside a router: the browser's at run time, a static one when pages are made at build time. */
export function App() {
  return (
    <>
      <ScrollManager />
      <AppRoutes />
    </>
  );
}
