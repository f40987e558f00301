/**
 * Lets only a few password hashes run at once in one server process and refuses a long queue, so
 * that a storm of sign-ins cannot starve everyone else.
 */
import { appError } from "../shared/errors";
import { HASHES_AT_ONCE_MAX, HASHES_WAITING_MAX } from "../shared/limits";
import {
  derivePassword,
  newPasswordParameters,
  randomHex,
  type PasswordParameters,
} from "./crypto";

let running = 0;
const waiting: (() => void)[] = [];

async function enter(): Promise<void> {
  if (running < HASHES_AT_ONCE_MAX) {
    running += 1;
    return;
  }
  if (waiting.length >= HASHES_WAITING_MAX) throw appError("RATE_LIMITED");
  // Whoever leaves hands over its place, so `running` stays as it is.
  await new Promise<void>((resolve) => waiting.push(resolve));
}

function leave(): void {
  const next = waiting.shift();
  if (next === undefined) running -= 1;
  else next();
}

/**
 * Derives a password hash when it is this call's turn. For actions.
 * @throws AppError RATE_LIMITED when too many are waiting
 */
export async function deriveInTurn(
  password: string,
  parameters: PasswordParameters,
): Promise<string> {
  await enter();
  try {
    return await derivePassword(password, parameters);
  } finally {
    leave();
  }
}

/**
 * Hashes a new password, with a salt of its own, when it is this call's turn. For actions.
 * @throws AppError RATE_LIMITED when too many are waiting
 */
export async function hashInTurn(password: string): Promise<string> {
  return await deriveInTurn(password, newPasswordParameters());
}

/**
 * A random password of `byteCount` bytes in hexadecimal digits, to be told to somebody once, and its hash.
 * @throws AppError RATE_LIMITED when too many are waiting
 */
export async function randomPassword(
  byteCount: number,
): Promise<{ password: string; passwordHash: string }> {
  const password = randomHex(byteCount);
  return { password, passwordHash: await hashInTurn(password) };
}
