/**
 * Faults between page and server: a page's call never arrives and gets the response of an internal error,
 * or messages are delayed for as long as the test wants.
 */
import type { Page, WebSocketRoute } from "@playwright/test";

/** Requests of the page, in the format of the sync protocol. */
interface PageRequest {
  readonly type: string;
  readonly requestId: number;
  readonly udfPath?: string;
}

/** A message of the server, in the same format; `endVersion` in Transitions only, `requestId` in responses only. */
interface ServerMessage {
  readonly type: string;
  readonly requestId?: number;
  readonly endVersion: { readonly identity: number };
}

const MISSING_FUNCTION = "missing:function";

/**
 * From the next load of the page on, every mutation and action of `names` fails until `mend` is called,
 * and every subscription to one of `queries` asks for a function that does not exist.
 */
export async function breakCalls(
  page: Page,
  names: readonly string[],
  queries: readonly string[] = [],
): Promise<{ mend: () => void }> {
  let isBroken = true;
  await page.routeWebSocket(/\/sync$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const text = String(message);
      const request = JSON.parse(text) as PageRequest;
      const name = request.udfPath?.replace(".js", "") ?? "";
      if (isBroken && request.type === "ModifyQuerySet") {
        server.send(
          queries.reduce(
            (sent, query) => sent.replaceAll(`"${query}"`, `"${MISSING_FUNCTION}"`),
            text,
          ),
        );
        return;
      }
      if (!isBroken || !names.includes(name)) {
        server.send(text);
        return;
      }
      const { type, requestId } = request;
      socket.send(
        JSON.stringify({
          type: `${type}Response`,
          requestId,
          success: false,
          result: "Server Error",
          logLines: [],
        }),
      );
    });
  });
  await page.reload();
  return { mend: () => (isBroken = false) };
}

/**
 * From the next load of the page on, the first message that calls the held function, and every later
 * message, is delayed until `release` is called, so that a test can check the page while it waits.
 */
export async function holdCalls(
  page: Page,
): Promise<{ hold: (name: string) => void; release: () => void }> {
  let held: string | null = null;
  const waiting: (() => void)[] = [];
  await page.routeWebSocket(/\/sync$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const send = () => server.send(message);
      const isHeld = held !== null && String(message).replace(".js", "").includes(`"${held}"`);
      if (isHeld || waiting.length > 0) waiting.push(send);
      else send();
    });
  });
  await page.reload();
  return {
    hold: (name) => {
      held = name;
    },
    release: () => {
      held = null;
      for (const send of waiting.splice(0)) send();
    },
  };
}

/**
 * From the next load of the page on, the server's messages on the current connection are delayed between
 * `withhold` and `release`: the page's calls are executed, but the page gets no results.
 */
export async function withholdAnswers(
  page: Page,
): Promise<{ withhold: () => void; release: () => void }> {
  let newest: WebSocketRoute | null = null;
  let withheld: WebSocketRoute | null = null;
  const waiting: (() => void)[] = [];
  await page.routeWebSocket(/\/sync$/, (socket) => {
    newest = socket;
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const send = () => socket.send(message);
      if (socket === withheld) waiting.push(send);
      else send();
    });
  });
  await page.reload();
  return {
    withhold: () => {
      withheld = newest;
    },
    release: () => {
      withheld = null;
      for (const send of waiting.splice(0)) send();
    },
  };
}

/**
 * From the next load of the page on, the connection is cut in place of the response to the next call of the function
 * given to `lose`: it has been executed, and the page does not know.
 */
export async function loseAnswers(page: Page): Promise<{ lose: (name: string) => void }> {
  let lost: string | null = null;
  await page.routeWebSocket(/\/sync$/, (socket) => {
    const server = socket.connectToServer();
    let lostId: number | undefined;
    socket.onMessage((message) => {
      const { udfPath, requestId } = JSON.parse(String(message)) as PageRequest;
      if (lost !== null && udfPath?.replace(".js", "") === lost) {
        lost = null;
        lostId = requestId;
      }
      server.send(message);
    });
    server.onMessage((message) => {
      const { requestId } = JSON.parse(String(message)) as ServerMessage;
      if (lostId === undefined || requestId !== lostId) return socket.send(message);
      void socket.close();
      void server.close();
    });
  });
  await page.reload();
  return { lose: (name) => (lost = name) };
}

/**
 * From the next load of the page on, `expire` ends its connection as the server does when the session's access token has
 * expired.
 */
export async function expireTokens(page: Page): Promise<{ expire: () => void }> {
  let expire = () => {};
  await page.routeWebSocket(/\/sync$/, (socket) => {
    let baseVersion = 0;
    socket.connectToServer().onMessage((message) => {
      const { type, endVersion } = JSON.parse(String(message)) as ServerMessage;
      if (type === "Transition") baseVersion = endVersion.identity;
      socket.send(message);
    });
    expire = () => {
      const error = "Convex token identity expired";
      const reason = { type: "AuthError", error, baseVersion, authUpdateAttempted: false };
      socket.send(JSON.stringify(reason));
    };
  });
  await page.reload();
  return { expire: () => expire() };
}
