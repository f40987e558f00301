/** Renders components that query the backend themselves: Convex's own hooks over a client with preset answers. */
import { act } from "@testing-library/react";
import { ConvexAuthProvider } from "@convex-dev/auth/react";
import { ConvexProvider, type ConvexReactClient } from "convex/react";
import { getFunctionName, type FunctionReference } from "convex/server";
import type { ReactNode } from "react";
import { tabStorage } from "../../src/lib/tabStorage";
import { fakeConnection } from "./fakeConnection";
import { renderFeature, type RenderedFeature } from "./renderFeature";

type Call = (args: Record<string, unknown>) => Promise<unknown>;

interface Answers {
  /** By name, such as "profile:sessions"; any other query is still loading. */
  readonly queries?: Readonly<Record<string, unknown>>;
  readonly mutations?: Readonly<Record<string, Call>>;
  readonly actions?: Readonly<Record<string, Call>>;
  /** With a session, as pages around sign-in have; the answer to "viewer:get" says whose it is. */
  readonly isSignedIn?: boolean;
}

interface RenderedWithBackend extends RenderedFeature {
  /** Gives a query a new answer, as the subscription would. */
  answer: (query: string, value: unknown) => void;
}

export function renderWithBackend(content: ReactNode, answers: Answers): RenderedWithBackend {
  const values = new Map(Object.entries(answers.queries ?? {}));
  const listeners = new Set<() => void>();
  const client = {
    watchQuery: (query: FunctionReference<"query">) => ({
      localQueryResult: () => values.get(getFunctionName(query)),
      onUpdate: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      journal: () => undefined,
    }),
    mutation: async (mutation: FunctionReference<"mutation">, args: Record<string, unknown>) => {
      const name = getFunctionName(mutation);
      const run = answers.mutations?.[name];
      if (run === undefined) throw new Error(`No answer was set for ${name}`);
      return run(args);
    },
    // An action without a preset resolves to nothing: ending a session needs one.
    action: async (action: FunctionReference<"action">, args: Record<string, unknown>) =>
      answers.actions?.[getFunctionName(action)]?.(args) ?? null,
    setAuth: (_token: unknown, onChange: (isAuthenticated: boolean) => void) => onChange(true),
    clearAuth: () => undefined,
    address: "http://bank.test",
    ...fakeConnection,
  } as unknown as ConvexReactClient;
  if (answers.isSignedIn) {
    sessionStorage.setItem("__convexAuthJWT_httpbanktest", "token");
    sessionStorage.setItem("__convexAuthRefreshToken_httpbanktest", "refresh");
  }
  const inBackend = (node: ReactNode) =>
    answers.isSignedIn ? (
      <ConvexAuthProvider client={client} storage={tabStorage} shouldHandleCode={false}>
        {node}
      </ConvexAuthProvider>
    ) : (
      <ConvexProvider client={client}>{node}</ConvexProvider>
    );
  const result = renderFeature(inBackend(content));
  return {
    ...result,
    rerender: (next) => result.rerender(inBackend(next)),
    answer: (query, value) =>
      act(() => {
        values.set(query, value);
        for (const listener of listeners) listener();
      }),
  };
}
