/**
 * The HTTP routes of cheque images: authenticated upload and download. http.ts adds them.
 *
 * POST /api/deposit-images?side=front|back with the raw image as body returns `{imageId}`;
 * GET /api/deposit-images/<imageId> returns the bytes to their owner and to administrators, and 404
 * to everyone else. A storage URL never reaches a client.
 */
import type { HttpRouter } from "convex/server";
import { internal } from "./_generated/api";
import { memberHttpAction, preflight } from "./functions";
import { messageFor, type ErrorCode } from "./shared/errors";
import { hasUsableSize, IMAGE_BYTES_MAX, readImage } from "./shared/imageFiles";

const PATH = "/api/deposit-images";

const refusal = (status: number, code: ErrorCode): Response =>
  Response.json({ code, message: messageFor(code) }, { status });

/** Stores an image after looking at its bytes. */
export const upload = memberHttpAction(async (ctx, request) => {
  const side = new URL(request.url).searchParams.get("side");
  if (side !== "front" && side !== "back") return refusal(400, "DEPOSIT_INCOMPLETE");
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > IMAGE_BYTES_MAX) return refusal(413, "IMAGE_TOO_LARGE");
  const image = readImage(bytes);
  if (image === null) return refusal(415, "INVALID_IMAGE");
  if (!hasUsableSize(image)) return refusal(415, "IMAGE_UNUSABLE_SIZE");
  const { contentType } = image;
  const storageId = await ctx.storage.store(new Blob([bytes], { type: contentType }));
  try {
    const recorded = await ctx.runMutation(internal.mobileDeposits.record, {
      userId: ctx.user._id,
      storageId,
      side,
      contentType,
      sizeBytes: bytes.length,
    });
    return Response.json(recorded);
  } catch (error) {
    await ctx.storage.delete(storageId);
    throw error;
  }
});

/** Serves an image to those who may see it. */
export const download = memberHttpAction(async (ctx, request) => {
  const imageId = new URL(request.url).pathname.slice(PATH.length + 1);
  const image = await ctx.runQuery(internal.mobileDeposits.imageFor, {
    userId: ctx.user._id,
    imageId,
  });
  const blob = image === null ? null : await ctx.storage.get(image.storageId);
  if (image === null || blob === null) return refusal(404, "NOT_FOUND");
  return new Response(blob, {
    headers: {
      "content-type": image.contentType,
      "content-disposition": "inline",
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    },
  });
});

/** Adds the routes to the router. */
export function addDepositImageRoutes(http: HttpRouter): void {
  http.route({ path: PATH, method: "POST", handler: upload });
  http.route({ pathPrefix: `${PATH}/`, method: "GET", handler: download });
  http.route({ path: PATH, method: "OPTIONS", handler: preflight });
  http.route({ pathPrefix: `${PATH}/`, method: "OPTIONS", handler: preflight });
}
