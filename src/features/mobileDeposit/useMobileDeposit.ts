import { api } from "#api";
import type { AccountType } from "#shared/validators";
import { useAuthToken } from "@convex-dev/auth/react";
import { useMutation } from "convex/react";
import { useRef, useState } from "react";
import { useCommand } from "../../hooks/useCommand";
import { useRequestKey } from "../../hooks/useRequestKey";
import { suppressAnnouncements } from "../../lib/announce";
import { siteUrl } from "../../lib/env";
import { isOutcomeOpen, refusalOf } from "../../lib/errorText";
import { prepareImage } from "./prepareImage";
import { uploadImage } from "./uploadImage";

export interface Deposit {
  readonly toAccount: AccountType;
  readonly amountCents: bigint;
  readonly front: File;
  readonly back: File;
}

type Side = "front" | "back";

/** Share of each image that has left, 0 to 1; absent while nothing leaves. */
export type UploadShares = { readonly [side in Side]?: number };

/**
 * Uploads both images, then submits the deposit. An image that arrived is not sent again when the
 * deposit is tried once more.
 */
export function useMobileDeposit() {
  const token = useAuthToken();
  const submit = useMutation(api.mobileDeposits.submit);
  const { keyFor, settle } = useRequestKey();
  const uploaded = useRef(new WeakMap<File, string>());
  const [shares, setShares] = useState<UploadShares>({});

  const upload = async (side: Side, file: File): Promise<string> => {
    const known = uploaded.current.get(file);
    if (known !== undefined) return known;
    const imageId = await uploadImage({
      url: `${siteUrl()}/api/deposit-images?side=${side}`,
      token: token ?? "",
      image: await prepareImage(file),
      onProgress: (share) => setShares((current) => ({ ...current, [side]: share })),
    });
    uploaded.current.set(file, imageId);
    return imageId;
  };

  const command = useCommand(
    async ({ toAccount, amountCents, front, back }: Deposit) => {
      const frontImageId = await upload("front", front);
      const backImageId = await upload("back", back);
      const args = { toAccount, amountCents, frontImageId, backImageId };
      try {
        await submit({ ...args, requestKey: keyFor(args) });
      } catch (error) {
        // Without an answer the same deposit keeps its key.
        if (!isOutcomeOpen(refusalOf(error, "DEPOSIT_FAILED"), "DEPOSIT_FAILED")) settle(args);
        throw error;
      }
      settle(args);
    },
    { fallback: "DEPOSIT_FAILED" },
  );

  const send = async (deposit: Deposit): Promise<boolean> => {
    const answer = await command.run(deposit);
    setShares({});
    if (answer.isOk) suppressAnnouncements();
    return answer.isOk;
  };

  return {
    send,
    isBusy: command.isBusy,
    shares,
    message: command.refusal?.message,
    clear: command.clear,
  };
}
