/**
 * The context objects that the official library passes to handlers. They are taken from the copy of the
 * library that the functions were bundled with, so that its classes (ConvexError) match.
 *
 * They are stateless: each call finds the running function through `Convex`. Not here: the native context
 * that uses them (nativeContext).
 */
import type { GenericDataModel, GenericMutationCtx, GenericQueryCtx } from "convex/server";
import type { FunctionSpec, RegisteredFunction } from "./modules.ts";

export type SdkQueryContext = GenericQueryCtx<GenericDataModel>;
export type SdkMutationContext = GenericMutationCtx<GenericDataModel>;

/** The library's function constructors. */
export interface FunctionMakers {
  readonly queryGeneric: unknown;
  readonly mutationGeneric: unknown;
  readonly internalQueryGeneric: unknown;
  readonly internalMutationGeneric: unknown;
}

/** One context per kind and visibility; `meta` exposes the visibility. */
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

/** Captures the contexts of a copy of the library. */
export function captureContexts(makers: FunctionMakers): SdkContexts {
  return {
    query: capture(makers.queryGeneric),
    mutation: capture(makers.mutationGeneric),
    internalQuery: capture(makers.internalQueryGeneric),
    internalMutation: capture(makers.internalMutationGeneric),
  };
}

/** The context the library passes to a query. */
export function sdkQueryContext(contexts: SdkContexts, spec: FunctionSpec): SdkQueryContext {
  return spec.isPublic ? contexts.query : contexts.internalQuery;
}

/** The context the library passes to a mutation. */
export function sdkMutationContext(contexts: SdkContexts, spec: FunctionSpec): SdkMutationContext {
  return spec.isPublic ? contexts.mutation : contexts.internalMutation;
}
