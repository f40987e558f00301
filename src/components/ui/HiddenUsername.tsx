/** Whose password a form changes. Without it, password managers save the new one under no name or under another's. */
export function HiddenUsername({ value }: { value: string }) {
  return (
    <input type="text" name="username" autoComplete="username" value={value} readOnly hidden />
  );
}
