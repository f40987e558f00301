import type { ChangeEvent } from "react";

/** Whether a change is a single key press, and not a text that was pasted, dropped, dictated or filled in. */
export const isKeyPress = ({ nativeEvent }: ChangeEvent<HTMLInputElement>): boolean =>
  nativeEvent instanceof InputEvent && nativeEvent.data?.length === 1;
