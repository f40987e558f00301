/**
 * Lets only a few password hashes run at once in one server process and refuses a long queue, so
 * that a storm of sign-ins cannot starve everyone else. Senders take turns: a person, or the strangers of one network.
 */
import { appError } from "../shared/errors";
import { HASHES_AT_ONCE_MAX, HASHES_WAITING_MAX, PASSWORD_LENGTH_MAX } from "../shared/limits";
import {
  derivePassword,
  isEqualConstantTime,
  newPasswordParameters,
  parametersOf,
  randomHex,
  type PasswordParameters,
} from "./crypto";

/** The institution's own commands, and strangers whose address is unknown. */
export const NO_SENDER = "";

type Waiting = { readonly begin: () => void; readonly refuse: (error: Error) => void };

let running = 0;
/** By sender, those who came first in front; the first sender is the next one's turn. None is empty. */
const waiting = new Map<string, Waiting[]>();

async function enter(sender: string): Promise<void> {
  if (running < HASHES_AT_ONCE_MAX) {
    running += 1;
    return;
  }
  makeRoom(sender);
  // Whoever leaves hands over its place, so `running` stays as it is.
  await new Promise<void>((begin, refuse) => {
    const own = waiting.get(sender);
    if (own === undefined) waiting.set(sender, [{ begin, refuse }]);
    else own.push({ begin, refuse });
  });
}

/**
 * Refuses, where no more may wait, the newest call of whoever has most. Strangers with a few networks could otherwise
 * keep everybody from signing in.
 * @throws AppError RATE_LIMITED when the sender itself has most, or as many
 */
function makeRoom(sender: string): void {
  const queues = [...waiting];
  const count = queues.reduce((sum, [, { length }]) => sum + length, 0);
  if (count < HASHES_WAITING_MAX) return;
  const [longestOf, longest = []] = queues.reduce((one, other) =>
    other[1].length > one[1].length ? other : one,
  );
  const own = waiting.get(sender)?.length ?? 0;
  const isWorthIt = longestOf !== sender && own + 1 < longest.length;
  if (!isWorthIt) throw appError("RATE_LIMITED");
  longest.pop()?.refuse(appError("RATE_LIMITED"));
}

function leave(): void {
  const [turn] = waiting;
  if (turn === undefined) {
    running -= 1;
    return;
  }
  const [sender, calls] = turn;
  const next = calls.shift();
  waiting.delete(sender);
  if (calls.length > 0) waiting.set(sender, calls);
  next?.begin();
}

/**
 * Derives a password hash when it is this call's turn. For actions. `sender` is whose turn it is: a person's id, or a
 * stranger's network.
 * @throws AppError RATE_LIMITED when too many are waiting
 */
export async function deriveInTurn(
  password: string,
  parameters: PasswordParameters,
  sender: string,
): Promise<string> {
  await enter(sender);
  try {
    return await derivePassword(password, parameters);
  } finally {
    leave();
  }
}

/**
 * Whether a password is the one with this hash, when it is this call's turn. For actions.
 * @throws AppError RATE_LIMITED when too many are waiting
 */
export async function isPassword(
  password: string,
  storedHash: string,
  sender: string,
): Promise<boolean> {
  const parameters = parametersOf(storedHash);
  if (parameters === null || password.length > 2 * PASSWORD_LENGTH_MAX) return false;
  return isEqualConstantTime(await deriveInTurn(password, parameters, sender), storedHash);
}

/**
 * Hashes a new password, with a salt of its own, when it is this call's turn. For actions.
 * @throws AppError RATE_LIMITED when too many are waiting
 */
export async function hashInTurn(password: string, sender: string): Promise<string> {
  return await deriveInTurn(password, newPasswordParameters(), sender);
}

/**
 * A random password of `byteCount` bytes in hexadecimal digits, to be told to somebody once, and its hash.
 * @throws AppError RATE_LIMITED when too many are waiting
 */
export async function randomPassword(
  byteCount: number,
  sender: string,
): Promise<{ password: string; passwordHash: string }> {
  const password = randomHex(byteCount);
  return { password, passwordHash: await hashInTurn(password, sender) };
}
