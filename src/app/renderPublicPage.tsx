/**
 * Renders a public page to HTML at build time (scripts/prerender.ts). The tree is the one that main.tsx hydrates, with
 * a static router.
 */
import { StrictMode } from "react";
import { prerender } from "react-dom/static";
import { StaticRouter } from "react-router-dom";
import { App } from "./App";

/** The HTML of `#root` for a path, with everything lazy already in place. */
export async function renderPublicPage(path: string): Promise<string> {
  const { prelude } = await prerender(
    <StrictMode>
      <StaticRouter location={path}>
        <App />
      </StaticRouter>
    </StrictMode>,
    {
      // Larger parts would otherwise be moved into place by inline scripts, which the content
      // security policy forbids.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onError: (error) => {
        throw error;
      },
    },
  );
  return new Response(prelude).text();
}
