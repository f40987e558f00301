import { useOutletContext } from "react-router-dom";

/** What the signed-in frame hands to its pages. */
export interface FrameContext {
  /** Ends the session at the person's own request, in this tab only: other tabs have their own sessions. */
  readonly signOut: () => Promise<void>;
}

/** Only for pages below the signed-in frame: elsewhere there is no context to read. */
export function useFrame(): FrameContext {
  return useOutletContext<FrameContext>();
}
