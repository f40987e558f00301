/** Settings of a build, read through `import.meta.env` (all optional). */
declare global {
  interface ImportMetaEnv {
    /** A Convex deployment to talk to instead of the page's own origin. */
    readonly VITE_CONVEX_URL?: string;
    /** Where that deployment's HTTP actions answer; needed when it is not Convex cloud. */
    readonly VITE_CONVEX_SITE_URL?: string;
    /** Public origin of the site, for canonical links; the institution's domain without it. */
    readonly VITE_SITE_URL?: string;
    /** Address of the market overview frame on the home page. */
    readonly VITE_MARKET_WIDGET_URL?: string;
  }
}

export {};
