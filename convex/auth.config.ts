/** Issuer of our own tokens: this deployment itself. A default export, because Convex requires it. */
declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

export default {
  providers: [{ domain: process.env.CONVEX_SITE_URL, applicationID: "convex" }],
};
