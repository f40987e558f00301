/** Where the backend is: the page's own origin unless the build names a deployment. */

/** As paths are put behind it: people copy addresses with a slash at the end. */
const withoutSlash = (address: string): string => address.replace(/\/$/, "");

/** Base address of the Convex deployment. */
export function deploymentUrl(): string {
  return withoutSlash(import.meta.env.VITE_CONVEX_URL ?? window.location.origin);
}

/** Base address of its HTTP actions (deposit images); on Convex cloud they have their own host. */
export function siteUrl(): string {
  return withoutSlash(
    import.meta.env.VITE_CONVEX_SITE_URL ??
      deploymentUrl().replace(/\.convex\.cloud$/, ".convex.site"),
  );
}
