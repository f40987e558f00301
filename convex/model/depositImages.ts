/**
 * Private cheque images: recorded once stored, served to their owner and to administrators only,
 * compared with each other, swept when no deposit uses them or nothing recorded them.
 *
 * Not here: what an image must be (shared/imageFiles), receiving it (depositImageRoutes).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { MS } from "../shared/limits";
import { isAdmin } from "../shared/roles";
import { findById } from "./byId";

const SWEEP_IMAGES_MAX = 50;
/** Both sides of a deposit may be the same file; a third copy is another deposit's. */
const COPIES_READ_MAX = 3;
/** How far back to look for pictures that were never recorded. */
const STRAYS_SOUGHT_MS = 7 * MS.DAY_MS;
/** One person's uploads that no deposit uses yet; the oldest beyond this are dropped. */
const UNUSED_IMAGES_MAX = 10;

/** Records a stored image. Keeps at most ten unused ones per person, so that nobody can fill the store. */
export async function recordImage(
  ctx: MutationCtx,
  image: Pick<Doc<"depositImages">, "userId" | "storageId" | "side" | "contentType" | "sizeBytes">,
  nowMs: number,
): Promise<{ imageId: Id<"depositImages"> }> {
  const unused = await ctx.db
    .query("depositImages")
    .withIndex("by_userId_and_depositId", (q) =>
      q.eq("userId", image.userId).eq("depositId", undefined),
    )
    .order("desc")
    .take(SWEEP_IMAGES_MAX);
  for (const old of unused.slice(UNUSED_IMAGES_MAX - 1)) await deleteImage(ctx, old);
  const file = await ctx.db.system.get("_storage", image.storageId);
  const fields = { ...image, ...(file === null ? {} : { sha256: file.sha256 }), createdAt: nowMs };
  return { imageId: await ctx.db.insert("depositImages", fields) };
}

/** What a deposit's pictures tell its reviewer even before a look at them. */
type PictureFindings = {
  /** Front and back are the same file. */
  readonly isOnePicture: boolean;
  /** When another deposit used one of the two files. */
  readonly otherDepositAt?: number;
};

/** Compares the files of a deposit with each other and with those of all deposits. */
export async function findingsOf(
  ctx: QueryCtx,
  { _id, frontImageId, backImageId }: Doc<"mobileDeposits">,
): Promise<PictureFindings> {
  const front = await ctx.db.get("depositImages", frontImageId);
  const back = await ctx.db.get("depositImages", backImageId);
  const isOnePicture = front?.sha256 !== undefined && front.sha256 === back?.sha256;
  for (const image of [front, back]) {
    if (image?.sha256 === undefined) continue;
    const { sha256 } = image;
    const copies = await ctx.db
      .query("depositImages")
      .withIndex("by_sha256_and_depositId", (q) =>
        q.eq("sha256", sha256).gt("depositId", undefined),
      )
      .take(COPIES_READ_MAX);
    const copy = copies.find(({ depositId }) => depositId !== _id);
    const other = copy?.depositId && (await ctx.db.get("mobileDeposits", copy.depositId));
    if (other) return { isOnePicture, otherDepositAt: other.createdAt };
  }
  return { isOnePicture };
}

/** A person's own image that no deposit uses yet, or null. */
export async function findUnused(
  ctx: QueryCtx,
  userId: Id<"users">,
  imageId: string,
): Promise<Doc<"depositImages"> | null> {
  const image = await findById(ctx, "depositImages", imageId);
  return image?.userId === userId && image.depositId === undefined ? image : null;
}

/** The file of an image that the person may see, or null: for anybody else there is no image. */
export async function findImage(
  ctx: QueryCtx,
  userId: Id<"users">,
  imageId: string,
): Promise<{ storageId: Id<"_storage">; contentType: string } | null> {
  const image = await findById(ctx, "depositImages", imageId);
  const user = await ctx.db.get("users", userId);
  if (image === null || user === null) return null;
  if (image.userId !== userId && !isAdmin(user)) return null;
  return { storageId: image.storageId, contentType: image.contentType };
}

/** Deletes a batch of images that no deposit used within a day. Returns whether there may be more. */
export async function sweepUnused(ctx: MutationCtx, nowMs: number): Promise<boolean> {
  const orphans = await ctx.db
    .query("depositImages")
    .withIndex("by_depositId_and_createdAt", (q) =>
      q.eq("depositId", undefined).lt("createdAt", nowMs - MS.DAY_MS),
    )
    .take(SWEEP_IMAGES_MAX);
  for (const image of orphans) await deleteImage(ctx, image);
  return orphans.length === SWEEP_IMAGES_MAX;
}

/**
 * Deletes a batch of stored pictures that were not recorded within a day: the process ended between the two steps.
 * @param afterMs only those made later
 * @returns when the last one examined was made, or null when there are no more
 */
export async function sweepStrays(
  ctx: MutationCtx,
  nowMs: number,
  afterMs: number,
): Promise<number | null> {
  const fromMs = Math.max(afterMs, nowMs - STRAYS_SOUGHT_MS);
  const files = await ctx.db.system
    .query("_storage")
    .withIndex("by_creation_time", (q) =>
      q.gt("_creationTime", fromMs).lt("_creationTime", nowMs - MS.DAY_MS),
    )
    .take(SWEEP_IMAGES_MAX);
  for (const { _id } of files) {
    const image = await ctx.db
      .query("depositImages")
      .withIndex("by_storageId", (q) => q.eq("storageId", _id))
      .first();
    if (image === null) await ctx.storage.delete(_id);
  }
  return files[SWEEP_IMAGES_MAX - 1]?._creationTime ?? null;
}

/** The file may be gone already, as after an import without files: deleting it again would fail. */
async function deleteImage(ctx: MutationCtx, image: Doc<"depositImages">): Promise<void> {
  const file = await ctx.db.system.get("_storage", image.storageId);
  if (file !== null) await ctx.storage.delete(image.storageId);
  await ctx.db.delete("depositImages", image._id);
}
