import { useEffect, useState } from "react";
import { useAuthToken } from "@convex-dev/auth/react";
import { siteUrl } from "../../lib/env";

export type DepositImageState =
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly url: string; readonly file: Blob }
  | { readonly kind: "failed"; readonly tryAgain: () => void };

const LOADING: DepositImageState = { kind: "loading" };

/** How long it may take. On a line that swallows everything, browsers wait for a quarter of an hour. */
const ARRIVAL_MS = 60_000;

/** Fetches a private image with the session's token; the object URL lives as long as the image. */
export function useDepositImage(imageId: string): DepositImageState {
  const token = useAuthToken();
  const [state, setState] = useState<{ imageId: string; image: DepositImageState } | null>(null);
  const [attempt, setAttempt] = useState(1);
  const hasToken = token !== null;
  useEffect(() => {
    if (token === null) return;
    const abort = new AbortController();
    let isLeft = false;
    const timer = setTimeout(() => abort.abort(), ARRIVAL_MS);
    const tryAgain = () => {
      setState(null);
      setAttempt((before) => before + 1);
    };
    let url: string | null = null;
    fetchImage(imageId, token, abort.signal)
      .then((file) => {
        if (isLeft) return;
        url = URL.createObjectURL(file);
        setState({ imageId, image: { kind: "ready", url, file } });
      })
      .catch(() => {
        if (!isLeft) setState({ imageId, image: { kind: "failed", tryAgain } });
      })
      .finally(() => clearTimeout(timer));
    return () => {
      isLeft = true;
      clearTimeout(timer);
      abort.abort();
      if (url !== null) URL.revokeObjectURL(url);
    };
    // A renewed token is no reason to reload the same image.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [imageId, hasToken, attempt]);
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
