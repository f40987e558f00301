import { useEffect, useState } from "react";
import { useAuthToken } from "@convex-dev/auth/react";
import { siteUrl } from "../../lib/env";

export type DepositImageState =
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly url: string; readonly file: Blob }
  | { readonly kind: "failed" };

const LOADING: DepositImageState = { kind: "loading" };

/** Fetches a private image with the session's token; the object URL lives as long as the image. */
export function useDepositImage(imageId: string): DepositImageState {
  const token = useAuthToken();
  const [state, setState] = useState<{ imageId: string; image: DepositImageState } | null>(null);
  const hasToken = token !== null;
  useEffect(() => {
    if (token === null) return;
    const abort = new AbortController();
    let url: string | null = null;
    fetchImage(imageId, token, abort.signal)
      .then((file) => {
        if (abort.signal.aborted) return;
        url = URL.createObjectURL(file);
        setState({ imageId, image: { kind: "ready", url, file } });
      })
      .catch(() => {
        if (!abort.signal.aborted) setState({ imageId, image: { kind: "failed" } });
      });
    return () => {
      abort.abort();
      if (url !== null) URL.revokeObjectURL(url);
    };
    // A renewed token is no reason to reload the same image.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [imageId, hasToken]);
  return state?.imageId === imageId ? state.image : LOADING;
}

async function fetchImage(imageId: string, token: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(`${siteUrl()}/api/deposit-images/${encodeURIComponent(imageId)}`, {
    headers: { Authorization: `Bearer ${token}` },
    signal,
  });
  if (!response.ok) throw new Error(`image answered ${response.status}`);
  return response.blob();
}
