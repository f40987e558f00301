// @vitest-environment jsdom
/**
 * The official React client: `usePaginatedQuery` while others insert and delete on every page. Every
 * rendered list is a prefix of the list at one moment: no row is lost or repeated.
 */
import path from "node:path";
import { ConvexHttpClient } from "convex/browser";
import { ConvexProvider, ConvexReactClient, usePaginatedQuery } from "convex/react";
import { createElement, useEffect } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { chat } from "../embedded/fixtures/chatApi";
import { Dice, seedOfRun } from "../support/chance";
import { startEmbedded } from "../support/embeddedProcess";
import { PATIENCE } from "../support/patience";
import { temporaryDir } from "../support/temporaryDir";

const CHAT_DIR = path.resolve(import.meta.dirname, "..", "embedded", "fixtures", "chat");
const CHANNEL = { channel: "paged" };
const PAGE_ROWS = 5;
const ROWS = 30;
const WRITES = 80;
const TIMEOUT_MS = 120_000;

/** Writes the list, one change after the other, and records every state before it is written. */
class Writer {
  readonly states: string[][] = [[]];
  private readonly http: ConvexHttpClient;
  private readonly ids = new Map<string, string>();
  private readonly dice: Dice;

  constructor(origin: string, dice: Dice) {
    this.http = new ConvexHttpClient(origin, { logger: false });
    this.dice = dice;
  }

  get state(): readonly string[] {
    return this.states.at(-1) ?? [];
  }

  async insert(): Promise<void> {
    const body = String(this.dice.below(1e9)).padStart(9, "0");
    this.states.push([...this.state, body].sort());
    this.ids.set(body, await this.http.mutation(chat.send, { ...CHANNEL, body }));
  }

  async remove(): Promise<void> {
    const body = this.dice.of(this.state);
    this.states.push(this.state.filter((other) => other !== body));
    await this.http.mutation(chat.remove, { id: this.ids.get(body) ?? "" });
  }

  /** Whether a list is a prefix of some recorded state. */
  wasPrefix(list: readonly string[]): boolean {
    return this.states.some((state) => list.every((body, at) => body === state[at]));
  }
}

/** The rendered list, with everything it ever showed. */
function openPage(origin: string) {
  const drawn: string[][] = [];
  const page = { drawn, status: "", loadMore: () => undefined as void };
  const container = document.createElement("div");
  const root = createRoot(container);
  // jsdom's own WebSocket does not work with Node's events.
  const webSocketConstructor = WebSocket as unknown as typeof globalThis.WebSocket;
  const client = new ConvexReactClient(origin, { logger: false, webSocketConstructor });
  function List() {
    const options = { initialNumItems: PAGE_ROWS };
    const { results, status, loadMore } = usePaginatedQuery(chat.pageByBody, CHANNEL, options);
    useEffect(() => {
      page.status = status;
      // Rendered at once, as after a click: two pages from one render would start at the same cursor.
      page.loadMore = () => flushSync(() => loadMore(PAGE_ROWS));
      const items = container.querySelectorAll("li");
      drawn.push([...items].map(({ textContent }) => textContent ?? ""));
    });
    const items = results.map(({ _id, body }) => createElement("li", { key: _id }, body));
    return createElement("ul", null, items);
  }
  root.render(createElement(ConvexProvider, { client }, createElement(List)));
  onTestFinished(async () => {
    root.unmount();
    await client.close();
  });
  return page;
}

test(
  "pages stay consistent while rows are inserted and deleted on all of them",
  async () => {
    const server = await startEmbedded({ functionsDir: CHAT_DIR, dataDir: temporaryDir() });
    onTestFinished(async () => void (await server.stop()));
    const seed = seedOfRun();
    const dice = new Dice(seed);
    const writer = new Writer(server.origin, dice);
    for (let row = 0; row < ROWS; row += 1) await writer.insert();

    const page = openPage(server.origin);
    await vi.waitFor(() => expect(page.status).toBe("CanLoadMore"), PATIENCE);
    expect(page.drawn.at(-1)).toEqual(writer.state.slice(0, PAGE_ROWS));
    for (let write = 0; write < WRITES; write += 1) {
      await (dice.isHit(0.6) ? writer.insert() : writer.remove());
      if (page.status === "CanLoadMore" && dice.isHit(0.2)) page.loadMore();
    }
    await vi.waitFor(() => {
      if (page.status === "CanLoadMore") page.loadMore();
      expect([seed, page.status]).toEqual([seed, "Exhausted"]);
    }, PATIENCE);
    await vi.waitFor(() => expect(page.drawn.at(-1)).toEqual(writer.state), PATIENCE);
    expect(page.drawn.length).toBeGreaterThan(WRITES / 4);
    const wrong = page.drawn.filter((list) => !writer.wasPrefix(list));
    expect([seed, wrong]).toEqual([seed, []]);
  },
  TIMEOUT_MS,
);
