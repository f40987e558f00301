/** The one Convex client of the page. Only signed-in and sign-in pages load this file. */
import { ConvexReactClient } from "convex/react";
import { deploymentUrl } from "./env";
import { patientSocket } from "./patientSocket";
import { untilAnswered, withPatience } from "./tokenRenewal";

// Pages made at build time call nothing.
const isInBrowser = typeof window !== "undefined";
if (isInBrowser) window.fetch = withPatience(window.fetch.bind(window));

class PageClient extends ConvexReactClient {
  override setAuth(...[fetchToken, ...others]: Parameters<ConvexReactClient["setAuth"]>): void {
    super.setAuth(untilAnswered(fetchToken), ...others);
  }
}

export const convexClient = new PageClient(deploymentUrl(), {
  skipConvexDeploymentUrlCheck: true,
  ...(isInBrowser && { webSocketConstructor: patientSocket(WebSocket) }),
  // Refusals are shown on the page; the console of a member's browser stays quiet.
  logger: import.meta.env.DEV,
  // The browser's own prompt on leaving the page would hide what the connection banner says.
  unsavedChangesWarning: false,
});
