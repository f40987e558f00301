/** Replacing functions of Node's own modules. Test files share their imports, which rules out `vi.mock`. */
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

/** Replaces functions of a built-in module, also where they are imported by name, until the test ends. */
export function replaceIn<Module extends object>(builtin: Module, changes: Partial<Module>): void {
  const originals = { ...builtin };
  Object.assign(builtin, changes);
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const name of Object.keys(changes) as (keyof Module)[]) builtin[name] = originals[name];
    syncBuiltinESMExports();
  });
}
