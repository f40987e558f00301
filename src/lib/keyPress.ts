import type { ChangeEvent, KeyboardEvent } from "react";

/** Whether a change is a single key press, and not a text that was pasted, dropped, dictated or filled in. */
export const isKeyPress = ({ nativeEvent }: ChangeEvent<HTMLInputElement>): boolean =>
  nativeEvent instanceof InputEvent && nativeEvent.data?.length === 1;

/** Whether a key is part of a shortcut: Alt and an arrow, for example, is the browser's Back or Forward. */
export const isShortcut = ({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  altKey || ctrlKey || metaKey;
