/** Calls one action or HTTP action: no transaction of its own, everything through the action frame. */
import type { ActionHost, CallOutcome, InternalCall } from "./actionSyscalls.ts";
import { ActionFrame } from "./actionSyscalls.ts";
import { describeFailure } from "./errors.ts";
import { runActionWithin, type Execution } from "./execution.ts";
import { callArgs } from "./invoke.ts";
import type { RegisteredFunction } from "./modules.ts";
import { assertArgs, assertReturns, tableOfIdIn } from "./validation.ts";

function actionExecution(
  host: ActionHost,
  kind: "action" | "http",
  call: Omit<InternalCall, "spec" | "args"> & {
    readonly functionPath: string;
    readonly functionIndex: number;
  },
): Execution {
  return {
    kind,
    functionPath: call.functionPath,
    request: call.request,
    handler: new ActionFrame(host, call),
    logs: call.logs,
    env: host.deployment.env,
    frozenNowMs: null,
    hasReadClock: false,
    random: null,
    timers: new Map(),
    functionIndex: call.functionIndex,
  };
}

/** Runs an action with validated arguments and result. Never rejects. */
export async function invokeAction(host: ActionHost, call: InternalCall): Promise<CallOutcome> {
  const { spec } = call;
  const tableOfId = tableOfIdIn(host.deployment.db);
  try {
    const args = callArgs(call.args);
    assertArgs(spec, args.value, tableOfId);
    const execution = actionExecution(host, "action", {
      ...call,
      functionPath: spec.path,
      functionIndex: spec.index,
    });
    const { result, ended } = runActionWithin(execution, () => {
      const { registered } = spec;
      if (registered.invokeAction === undefined) {
        throw new Error(`${spec.path} cannot be invoked as action`);
      }
      return registered.invokeAction(call.request.requestId, JSON.stringify([args.json]));
    });
    const json = await result.finally(ended);
    assertReturns(spec, { json }, tableOfId);
    return { json };
  } catch (error) {
    return { failure: describeFailure(error, host.deployment.modules.functionsDir) };
  }
}

/**
 * Runs an HTTP action. Unless it throws, `onOver` is called once its response's body was read, or will not
 * be.
 * @throws whatever the handler throws.
 */
export async function invokeHttpAction(
  host: ActionHost,
  action: RegisteredFunction,
  request: Request,
  call: Omit<InternalCall, "spec" | "args"> & { readonly functionPath: string },
  onOver: () => void,
): Promise<Response> {
  const execution = actionExecution(host, "http", { ...call, functionIndex: -1 });
  const { result, ended } = runActionWithin(execution, () => {
    if (action.invokeHttpAction === undefined) {
      throw new Error(`${call.functionPath} is not an HTTP action`);
    }
    return action.invokeHttpAction(request);
  });
  const response = await result.catch((error: unknown) => {
    ended();
    throw error;
  });
  return untilRead(response, () => {
    ended();
    onOver();
  });
}

/** The same response; `ended` is called when its body was read, or will not be. */
function untilRead(response: Response, ended: () => void): Response {
  if (response.body === null) {
    ended();
    return response;
  }
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        ended();
        controller.close();
      } catch (error) {
        ended();
        throw error;
      }
    },
    cancel(reason) {
      ended();
      return reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
