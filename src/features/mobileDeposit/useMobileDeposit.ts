import { api } from "#api";
import { appError, type ErrorCode } from "#shared/errors";
import { IMAGE_BYTES_MAX } from "#shared/imageFiles";
import { TEXTS } from "#shared/texts";
import type { AccountType } from "#shared/validators";
import { useMutation } from "convex/react";
import { ConvexError } from "convex/values";
import { useCommand } from "../../hooks/useCommand";
import { useKept } from "../../hooks/useKept";
import { asOwnAction } from "../../lib/announce";
import { currentAccessToken } from "../../lib/convexSession";
import { siteUrl } from "../../lib/env";
import { refusalOf } from "../../lib/errorText";
import { prepareImage } from "./prepareImage";
import { uploadImage } from "./uploadImage";

export interface Deposit {
  readonly toAccount: AccountType;
  readonly amountCents: bigint;
  readonly front: File;
  readonly back: File;
}

export type Side = "front" | "back";

/** Share of each image sent so far, 0 to 1; absent while nothing is being sent. */
export type UploadShares = { readonly [side in Side]?: number };

/** The state of a deposit being sent, kept even when its panel is left. */
interface Sending {
  readonly isBusy: boolean;
  readonly shares: UploadShares;
  /** Why the last one was refused, and which photo is to blame, if any. */
  readonly message: string | undefined;
  readonly refusedSide: Side | null;
  /** What to say about the last one that arrived. */
  readonly status: string | null;
}
const AT_REST: Sending = {
  isBusy: false,
  shares: {},
  message: undefined,
  refusedSide: null,
  status: null,
};

/** What the server says about one photo: the form marks that one. */
const IMAGE_REFUSALS: ReadonlySet<string> = new Set<ErrorCode>([
  "INVALID_IMAGE",
  "IMAGE_TOO_LARGE",
  "IMAGE_UNUSABLE_SIZE",
]);

/** Images that arrived, so that none is sent again when its deposit is retried. */
const uploaded = new WeakMap<File, string>();

/** Images that did not arrive, without a word of the server: the line may be too slow for them. */
const lost = new WeakSet<File>();

/** An uploaded photo belongs to one deposit, so its id names the intended operation. */
const requestKeyOf = (frontImageId: string): string => `deposit-${frontImageId}`;

const keepPage = (event: BeforeUnloadEvent) => event.preventDefault();

/** Uploads both images, then submits the deposit; continues when the panel is left. */
export function useMobileDeposit() {
  const submit = useMutation(api.mobileDeposits.submit);
  const [sending, change] = useKept("deposit-sending", AT_REST);

  const upload = async (side: Side, file: File, isLineSlow: boolean): Promise<string> => {
    const known = uploaded.get(file);
    if (known !== undefined) return known;
    const image = await prepareImage(file, isLineSlow);
    try {
      // The server reads none that is far larger: it closes the connection, and its reason is lost.
      if (image.size > IMAGE_BYTES_MAX) throw appError("IMAGE_TOO_LARGE");
      const imageId = await uploadImage({
        url: `${siteUrl()}/api/deposit-images?side=${side}`,
        // Read for each photo: the one before it may have taken longer than the token lived.
        token: currentAccessToken(),
        image,
        onProgress: (share) => change({ shares: { [side]: share } }),
      });
      uploaded.set(file, imageId);
      return imageId;
    } catch (error) {
      if (!(error instanceof ConvexError)) lost.add(file);
      const { code } = refusalOf(error, "DEPOSIT_FAILED");
      if (IMAGE_REFUSALS.has(code)) change({ refusedSide: side });
      throw error;
    }
  };

  const { run } = useCommand(
    async ({ toAccount, amountCents, front, back }: Deposit) => {
      const isLineSlow = lost.has(front) || lost.has(back);
      const frontImageId = await upload("front", front, isLineSlow);
      const backImageId = await upload("back", back, isLineSlow);
      const args = { toAccount, amountCents, frontImageId, backImageId };
      await asOwnAction(() => submit({ ...args, requestKey: requestKeyOf(frontImageId) }));
    },
    // Events from elsewhere while the photos are being sent are announced.
    { fallback: "DEPOSIT_FAILED", hasEcho: false },
  );

  const send = async (deposit: Deposit): Promise<boolean> => {
    change({ ...AT_REST, isBusy: true });
    window.addEventListener("beforeunload", keepPage);
    const answer = await run(deposit);
    window.removeEventListener("beforeunload", keepPage);
    // The server drops images that wait for their deposit too long: the next try uploads them again.
    const isGone = !answer.isOk && answer.refusal.code === "DEPOSIT_INCOMPLETE";
    if (isGone) for (const file of [deposit.front, deposit.back]) uploaded.delete(file);
    change(
      answer.isOk
        ? { ...AT_REST, status: TEXTS.depositSubmitted }
        : { isBusy: false, shares: {}, message: answer.refusal.message },
    );
    return answer.isOk;
  };

  return {
    send,
    ...sending,
    clear: () => change({ message: undefined, refusedSide: null, status: null }),
  };
}
