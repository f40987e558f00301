/** Security headers, set on every response. */

/** What pages of this server may load beyond their own origin, and who may load from it. */
export interface ContentSources {
  /** Origins of frames the page may embed. */
  readonly frames: readonly string[];
  /** True when pages are served over TLS: browsers must then never use plain HTTP again. */
  readonly isSecure: boolean;
  /** True when pages of every origin may connect: then they may show its files, too, as with the real backend. Absent: false. */
  readonly isOpen?: boolean;
}

const TWO_YEARS_S = 63_072_000;

function contentSecurityPolicy(sources: ContentSources): string {
  const frames = sources.frames.length === 0 ? "'none'" : sources.frames.join(" ");
  return [
    "default-src 'self'",
    "script-src 'self'",
    // Style attributes cannot run code; charts and pre-rendered pages need them.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    // The page checks with a request that a frame's address responds before it shows the frame.
    ["connect-src 'self'", ...sources.frames].join(" "),
    `frame-src ${frames}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The headers; `sources` decides what the pages may load. */
export function securityHeaders(sources: ContentSources): Readonly<Record<string, string>> {
  return {
    "Content-Security-Policy": contentSecurityPolicy(sources),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": sources.isOpen === true ? "cross-origin" : "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), payment=(), usb=()",
    ...(sources.isSecure && {
      "Strict-Transport-Security": `max-age=${TWO_YEARS_S}; includeSubDomains`,
    }),
  };
}
