/** Settings of a build, read through `import.meta.env` (all optional). */
declare global {
  interface ImportMetaEnv {
    /** A Convex deployment to use instead of the page's own origin. */
    readonly VITE_CONVEX_URL?: string;
    /** Address of that deployment's HTTP actions; needed when it is not on Convex cloud. */
    readonly VITE_CONVEX_SITE_URL?: string;
    /** Public origin of the site, for canonical links; defaults to the institution's domain. */
    readonly VITE_SITE_URL?: string;
    /** Address of the market overview frame on the home page. */
    readonly VITE_MARKET_WIDGET_URL?: string;
  }
}

export {};
