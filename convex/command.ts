/**
 * From a zod command to Convex arguments and to a refusal. Server only.
 *
 * Not here: the rules and commands themselves (shared/rules).
 */
import { v, type Validator } from "convex/values";
import { z } from "zod";
import { appError, type ErrorCode } from "./shared/errors";

type FieldValidator<Field extends z.ZodType> =
  undefined extends z.output<Field>
    ? Validator<z.output<Field>, "optional", string>
    : Validator<z.output<Field>, "required", string>;

/** The wire validator of one field of a command. Commands are flat: texts, cents, choices. */
function validatorOf(field: z.ZodType): Validator<unknown, "optional" | "required", string> {
  if (field instanceof z.ZodOptional) return v.optional(validatorOf(field.unwrap() as z.ZodType));
  if (field instanceof z.ZodString) return v.string();
  if (field instanceof z.ZodBigInt) return v.int64();
  if (field instanceof z.ZodNumber) return v.number();
  if (field instanceof z.ZodBoolean) return v.boolean();
  if (field instanceof z.ZodEnum) {
    return v.union(...field.options.map((option) => v.literal(option)));
  }
  throw new Error(`A command has no wire validator for ${field.def.type}`);
}

/** The Convex validators of a command's fields. */
export function commandArgs<Shape extends Record<string, z.ZodType>>(
  command: z.ZodObject<Shape>,
): { [Key in keyof Shape]: FieldValidator<Shape[Key]> } {
  const fields = Object.entries(command.shape as Record<string, z.ZodType>);
  return Object.fromEntries(fields.map(([name, field]) => [name, validatorOf(field)])) as {
    [Key in keyof Shape]: FieldValidator<Shape[Key]>;
  };
}

/**
 * Checks what wire validators cannot say (lengths, patterns) and shapes the values.
 * @throws AppError `code` when the arguments do not fit the command
 */
export function parseCommand<Command extends z.ZodType>(
  command: Command,
  args: unknown,
  code: ErrorCode,
): z.output<Command> {
  const parsed = command.safeParse(args);
  if (!parsed.success) throw appError(code);
  return parsed.data;
}

/**
 * Throws the refusal of a rule table, if there is one.
 * @throws AppError with that code
 */
export function refuse(
  code: ErrorCode | null,
  values: Record<string, string | number> = {},
): asserts code is null {
  if (code !== null) throw appError(code, values);
}
