/** The one Convex client of the page. Only signed-in and sign-in pages load this file. */
import { ConvexReactClient } from "convex/react";
import { deploymentUrl } from "./env";

export const convexClient = new ConvexReactClient(deploymentUrl(), {
  skipConvexDeploymentUrlCheck: true,
  // A browser's own question about leaving the page would hide what the connection banner says.
  unsavedChangesWarning: false,
});
