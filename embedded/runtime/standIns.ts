/**
 * Substitutes, for the bundler, for what a functions folder lacks when it is not inside a project: the
 * package `convex` and the generated code. A folder that has them uses its own.
 *
 * Not here: other packages; only the folder's own project can determine their versions.
 */
import path from "node:path";
import type { OnResolveArgs, Plugin, PluginBuild, ResolveResult } from "esbuild";

/** Generated modules as written by the official code generator, without types. */
const GENERATED: Readonly<Record<string, string>> = {
  api: `import { anyApi } from "convex/server"; export const api = anyApi; export const internal = anyApi;`,
  server:
    "export { queryGeneric as query, mutationGeneric as mutation, actionGeneric as action, " +
    "internalQueryGeneric as internalQuery, internalMutationGeneric as internalMutation, " +
    'internalActionGeneric as internalAction, httpActionGeneric as httpAction } from "convex/server";',
};
const GENERATED_IMPORT = /(?:^|\/)_generated\/(api|server)(?:\.js|\.ts)?$/;
const NAMESPACE = "stand-in";

/** Resolves with the bundler's own rules; the marker keeps this plugin from handling its own request. */
function findAsUsual(build: PluginBuild, args: OnResolveArgs): Promise<ResolveResult> {
  const { importer, namespace, resolveDir, kind } = args;
  return build.resolve(args.path, { importer, namespace, resolveDir, kind, pluginData: NAMESPACE });
}

/** The bundler plugin. The substitutes are used only where nothing else is found. */
export const standIns: Plugin = {
  name: NAMESPACE,
  setup(build) {
    build.onResolve({ filter: /^convex\// }, async (args) => {
      if (args.pluginData === NAMESPACE) return null;
      const found = await findAsUsual(build, args);
      if (found.errors.length === 0) return found;
      return findAsUsual(build, { ...args, resolveDir: import.meta.dirname });
    });
    build.onResolve({ filter: GENERATED_IMPORT }, async (args) => {
      if (args.pluginData === NAMESPACE) return null;
      const found = await findAsUsual(build, args);
      if (found.errors.length === 0) return found;
      return { path: path.resolve(args.resolveDir, args.path), namespace: NAMESPACE };
    });
    build.onLoad({ filter: GENERATED_IMPORT, namespace: NAMESPACE }, (args) => ({
      contents: GENERATED[GENERATED_IMPORT.exec(args.path)?.[1] ?? ""] ?? "",
      resolveDir: import.meta.dirname,
    }));
  },
};
