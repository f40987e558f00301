/**
 * The context objects the official library gives to handlers, taken from the copy of the library the
 * functions were bundled with, so that its classes (ConvexError) are theirs.
 *
 * The parts hold no state: each call finds the running function through `Convex`. Not here: the native
 * context that borrows from them (nativeContext).
 */
import type { GenericDataModel, GenericMutationCtx, GenericQueryCtx } from "convex/server";
import type { FunctionSpec, RegisteredFunction } from "./modules.ts";

export type SdkQueryContext = GenericQueryCtx<GenericDataModel>;
export type SdkMutationContext = GenericMutationCtx<GenericDataModel>;

/** The library's exports that make functions. */
export interface FunctionMakers {
  readonly queryGeneric: unknown;
  readonly mutationGeneric: unknown;
  readonly internalQueryGeneric: unknown;
  readonly internalMutationGeneric: unknown;
}

/** One context per kind and visibility: `meta` tells the visibility. */
export interface SdkContexts {
  readonly query: SdkQueryContext;
  readonly mutation: SdkMutationContext;
  readonly internalQuery: SdkQueryContext;
  readonly internalMutation: SdkMutationContext;
}

function capture<Context>(maker: unknown): Context {
  let captured: Context | undefined;
  const handler = (context: Context) => {
    captured = context;
    return null;
  };
  const registered = (maker as (handler: unknown) => RegisteredFunction)(handler);
  void (registered.invokeQuery ?? registered.invokeMutation)?.("[{}]");
  if (captured === undefined) throw new Error("The functions' library made no context.");
  return captured;
}

/** Takes the contexts out of a copy of the library. */
export function captureContexts(makers: FunctionMakers): SdkContexts {
  return {
    query: capture(makers.queryGeneric),
    mutation: capture(makers.mutationGeneric),
    internalQuery: capture(makers.internalQueryGeneric),
    internalMutation: capture(makers.internalMutationGeneric),
  };
}

/** The context the library would give to a query. */
export function sdkQueryContext(contexts: SdkContexts, spec: FunctionSpec): SdkQueryContext {
  return spec.isPublic ? contexts.query : contexts.internalQuery;
}

/** The context the library would give to a mutation. */
export function sdkMutationContext(contexts: SdkContexts, spec: FunctionSpec): SdkMutationContext {
  return spec.isPublic ? contexts.mutation : contexts.internalMutation;
}
