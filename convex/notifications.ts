/** The bell: a person's own notifications. Written by model/notify. */
import { v } from "convex/values";
import { internal } from "./_generated/api";
import { internalMutation, memberMutation, memberQuery } from "./functions";
import * as notifications from "./model/notifications";

/** The newest 20. */
export const mine = memberQuery({
  args: {},
  returns: v.array(
    v.object({
      _id: v.id("notifications"),
      kind: v.string(),
      title: v.string(),
      body: v.string(),
      createdAt: v.number(),
      isRead: v.boolean(),
    }),
  ),
  handler: (ctx) => notifications.newest(ctx, ctx.user._id),
});

/** Number of unread notifications; counts up to 100. */
export const unreadCount = memberQuery({
  args: {},
  returns: v.number(),
  handler: (ctx) => notifications.countUnread(ctx, ctx.user._id),
});

/** Spec section 2 "Top navigation": 'Mark all as read'. A large number is finished in the background. */
export const markAllRead = memberMutation({
  args: {},
  returns: v.null(),
  handler: async (ctx) => {
    const hasMore = await notifications.markRead(ctx, ctx.user._id);
    if (hasMore) {
      const rest = { userId: ctx.user._id };
      await ctx.scheduler.runAfter(0, internal.notifications.markRest, rest);
    }
    return null;
  },
});

/** Continues marking, in batches. */
export const markRest = internalMutation({
  args: { userId: v.id("users") },
  returns: v.null(),
  handler: async (ctx, { userId }) => {
    if (await notifications.markRead(ctx, userId)) {
      await ctx.scheduler.runAfter(0, internal.notifications.markRest, { userId });
    }
    return null;
  },
});
