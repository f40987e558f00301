/** The bell: a person's own notifications. Written by model/notify. */
import { v } from "convex/values";
import { memberMutation, memberQuery } from "./functions";
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

/** Number of unread ones; counts up to 100. */
export const unreadCount = memberQuery({
  args: {},
  returns: v.number(),
  handler: (ctx) => notifications.countUnread(ctx, ctx.user._id),
});

/** Spec section 2 "Top navigation": 'Mark all as read'. */
export const markAllRead = memberMutation({
  args: {},
  returns: v.null(),
  handler: async (ctx) => {
    await notifications.markAllRead(ctx, ctx.user._id);
    return null;
  },
});
