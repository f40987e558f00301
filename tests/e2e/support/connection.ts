/** How a page shows the state of its connection. */
import { expect, type Locator } from "@playwright/test";

/** The client tries to connect at growing intervals. */
const RECONNECTED = { timeout: 30_000 };

const offlineNote = (place: Locator): Locator =>
  place.getByText(/^You're offline\. Nothing can be sent right now/);

/** Waits until `place` says that there is no connection. */
export const untilDisconnected = (place: Locator) => expect(offlineNote(place)).toBeVisible();

/** Waits until it no longer says so. */
export const untilConnected = (place: Locator) =>
  expect(offlineNote(place)).toHaveCount(0, RECONNECTED);
