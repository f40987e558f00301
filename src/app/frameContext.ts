import { useOutletContext } from "react-router-dom";

/** What the signed-in frame hands to its pages. */
export interface FrameContext {
  /** Ends the session of one's own will, in this tab only: others have sessions of their own. */
  readonly signOut: () => Promise<void>;
}

/** Only for pages below the signed-in frame: elsewhere there is no context to take anything from. */
export function useFrame(): FrameContext {
  return useOutletContext<FrameContext>();
}
