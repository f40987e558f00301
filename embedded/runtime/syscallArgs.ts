/** Arguments of the SDK's syscalls. */

/** Arguments of a syscall after JSON.parse; every field is checked where it is used. */
export type SyscallArgs = Readonly<Record<string, unknown>>;

/** A string field of syscall arguments. @throws Error when it is something else. */
export function textArg(args: SyscallArgs, name: string): string {
  const value = args[name];
  if (typeof value !== "string") throw new Error(`Invalid argument \`${name}\`: expected a string`);
  return value;
}
