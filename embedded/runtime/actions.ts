/**
 * Calls one action or HTTP action. It has no transaction of its own; all data access goes through the action
 * frame.
 */
import { messageOf } from "../storage/errorText.ts";
import {
  type ActionCall,
  type ActionHost,
  type CallOutcome,
  type InternalCall,
  ActionFrame,
} from "./actionSyscalls.ts";
import { describeFailure } from "./errors.ts";
import { runActionWithin, type Execution } from "./execution.ts";
import { callArgs } from "./invoke.ts";
import type { RegisteredFunction } from "./modules.ts";
import { assertArgs, assertReturns, tableOfIdIn } from "./validation.ts";

/** The official limit of an HTTP action's answer. */
const ANSWER_MAX_BYTES = 20 * 1024 * 1024;
const ANSWER_TOO_LARGE = "HttpResponseTooLarge: HTTP actions support responses up to 20 MiB";

function actionExecution(
  host: ActionHost,
  kind: "action" | "http",
  call: ActionCall & { readonly functionIndex: number },
): { execution: Execution; frame: ActionFrame } {
  const frame = new ActionFrame(host, call);
  const execution: Execution = {
    kind,
    functionPath: call.functionPath,
    request: call.request,
    handler: frame,
    logs: call.logs,
    env: host.deployment.env,
    frozenNowMs: null,
    hasReadClock: false,
    random: null,
    timers: new Map(),
    functionIndex: call.functionIndex,
  };
  return { execution, frame };
}

/** Runs an action, validating arguments and result. Never rejects. */
export async function invokeAction(host: ActionHost, call: InternalCall): Promise<CallOutcome> {
  const { spec } = call;
  const tableOfId = tableOfIdIn(host.deployment.db);
  try {
    const args = callArgs(call.args);
    assertArgs(spec, args.value, tableOfId);
    const { execution, frame } = actionExecution(host, "action", {
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
    const { action, nodeAction } = host.deployment.limits;
    const limit = spec.isNode === true ? nodeAction : action;
    const json = await limit.within(result, () => frame.end()).finally(ended);
    assertReturns(spec, { json }, tableOfId);
    return { json };
  } catch (error) {
    return { failure: describeFailure(error, host.deployment.modules.functionsDir) };
  }
}

/**
 * Runs an HTTP action. Unless it throws, `onOver` is called once the response body was read or abandoned. A body
 * that fails or is too long is cut off, and logged: its status is sent already.
 * @throws whatever the handler throws
 */
export async function invokeHttpAction(
  host: ActionHost,
  action: RegisteredFunction,
  request: Request,
  call: ActionCall,
  onOver: () => void,
): Promise<Response> {
  const { execution, frame } = actionExecution(host, "http", { ...call, functionIndex: -1 });
  const { result, ended } = runActionWithin(execution, () => {
    if (action.invokeHttpAction === undefined) {
      throw new Error(`${call.functionPath} is not an HTTP action`);
    }
    return action.invokeHttpAction(request);
  });
  const limit = host.deployment.limits.action;
  const end = (): void => frame.end();
  const onRead = (): void => {
    ended();
    onOver();
  };
  const watch = (onLate: (error: Error) => void) =>
    limit.watch((error) => {
      end();
      onLate(error);
    });
  const onFailure = (error: unknown): void =>
    call.logs.write("ERROR", messageOf(error), call.functionPath);
  try {
    return untilRead(await limit.within(result, end), { onRead, onFailure, watch });
  } catch (error) {
    ended();
    throw error;
  }
}

/**
 * Wraps a response: `onRead` is called once its body was read or abandoned, `onFailure` before that when it fails.
 * `watch` starts a time limit and returns the function that stops it; when the limit passes, the body fails.
 */
function untilRead(
  response: Response,
  on: {
    onRead: () => void;
    onFailure: (error: unknown) => void;
    watch: (onLate: (error: Error) => void) => () => void;
  },
): Response {
  const { onRead, onFailure, watch } = on;
  if (response.body === null) {
    onRead();
    return response;
  }
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let ended = onRead;
  let readBytes = 0;
  /** The client has left or the time is up: what the body does then is no failure of its own. */
  let isGivenUp = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const isInTime = watch((error) => {
        isGivenUp = true;
        onFailure(error);
        onRead();
        controller.error(error);
        reader.cancel(error).catch(() => undefined);
      });
      ended = () => {
        isInTime();
        onRead();
      };
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (isGivenUp) return;
        if (done) {
          ended();
          return controller.close();
        }
        readBytes += value.byteLength;
        if (readBytes > ANSWER_MAX_BYTES) throw new Error(ANSWER_TOO_LARGE);
        controller.enqueue(value);
      } catch (error) {
        if (isGivenUp) return;
        onFailure(error);
        ended();
        reader.cancel(error).catch(() => undefined);
        throw error;
      }
    },
    cancel(reason) {
      isGivenUp = true;
      ended();
      return reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
