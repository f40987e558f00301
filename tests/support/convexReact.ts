/**
 * Stands in for "convex/react" where a hook is tested without a server: in each file that imports `fakeServer`, and says
 * there what the server answers.
 */
import { fakeConnection } from "./fakeConnection";
import { getFunctionName, type FunctionReference, type FunctionType } from "convex/server";

type Call = (args: Record<string, unknown>) => Promise<unknown>;

interface FakeServer {
  /** Answers of queries by name, such as "admin/users:list"; undefined means still loading, an Error is a refusal. */
  queries: Record<string, unknown>;
  /** Mutations and actions by name; any other resolves to null. */
  calls: Record<string, Call>;
}

export const fakeServer: FakeServer = { queries: {}, calls: {} };

const nothing: Call = async () => null;

const newEnd = () => {
  let come = () => undefined as void;
  const promise = new Promise<null>((resolve) => (come = () => resolve(null)));
  return { promise, come };
};

let end = newEnd();

/** When a test file ends, what it has left without an answer is answered: pages count that, the next file's too. */
export function endFakeServer(): void {
  fakeServer.queries = {};
  fakeServer.calls = {};
  end.come();
  end = newEnd();
}

type Mutation = Call & { withOptimisticUpdate: () => Call };

// The same one at every render, as the real hooks answer.
const known = new Map<string, Mutation>();

const callOf = (reference: FunctionReference<FunctionType>): Mutation => {
  const name = getFunctionName(reference);
  const made = known.get(name);
  if (made !== undefined) return made;
  const call: Call = (args) =>
    Promise.race([(fakeServer.calls[name] ?? nothing)(args), end.promise]);
  const mutation = Object.assign(call, { withOptimisticUpdate: () => call });
  known.set(name, mutation);
  return mutation;
};

export const useMutation: (reference: FunctionReference<"mutation">) => Mutation = callOf;
export const useAction: (reference: FunctionReference<"action">) => Call = callOf;

export function useQuery(reference: FunctionReference<"query">, args: unknown): unknown {
  const answer = args === "skip" ? undefined : fakeServer.queries[getFunctionName(reference)];
  if (answer instanceof Error) throw answer;
  return answer;
}

// The same one at every render, as the real hook answers.
const NO_ROWS: readonly unknown[] = [];

/** The rows are those of `queries`, all on the first page. */
export const usePaginatedQuery = (reference: FunctionReference<"query">) => ({
  results: fakeServer.queries[getFunctionName(reference)] ?? NO_ROWS,
  status: "Exhausted",
  loadMore: () => undefined,
});

export const useQueries = (requests: Record<string, { query: FunctionReference<"query"> }>) =>
  Object.fromEntries(
    Object.entries(requests).map(([key, { query }]) => [
      key,
      fakeServer.queries[getFunctionName(query)],
    ]),
  );

// The same one at every render, as the real hook answers.
const client = {
  ...fakeConnection,
  query: (reference: FunctionReference<"query">, args: Record<string, unknown>) =>
    callOf(reference)(args),
};

export const useConvex = () => client;
