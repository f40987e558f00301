/** What a page says of its connection. */
import { expect, type Locator } from "@playwright/test";

/** The client tries to connect at growing intervals. */
const RECONNECTED = { timeout: 30_000 };

const offlineNote = (place: Locator): Locator =>
  place.getByText(/^You're offline\. Nothing can be sent right now/);

/** Until `place` says that there is no connection. */
export const untilDisconnected = (place: Locator) => expect(offlineNote(place)).toBeVisible();

/** Until it does not say so any more. */
export const untilConnected = (place: Locator) =>
  expect(offlineNote(place)).toHaveCount(0, RECONNECTED);
