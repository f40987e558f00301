/** A client of the sync protocol that sends raw frames, also those that the official client never sends. */
import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";

export interface Frame {
  readonly type: string;
  readonly [field: string]: unknown;
}

export class WireClient {
  readonly frames: Frame[] = [];
  readonly sessionId: string;
  closeCode: number | null = null;
  private readonly socket: WebSocket;
  private listener: () => void = () => undefined;

  private constructor(socket: WebSocket, sessionId: string) {
    this.socket = socket;
    this.sessionId = sessionId;
    socket.on("message", (data) => {
      this.frames.push(JSON.parse((data as Buffer).toString()) as Frame);
      this.listener();
    });
    socket.on("close", (code) => {
      this.closeCode = code;
      this.listener();
    });
    socket.on("error", () => undefined);
  }

  static async open(
    origin: string,
    sessionId: string = randomUUID(),
    headers: Record<string, string> = {},
  ): Promise<WireClient> {
    const socket = new WebSocket(`${origin.replace("http", "ws")}/api/1.48.0/sync`, { headers });
    onTestFinished(() => socket.terminate());
    const client = new WireClient(socket, sessionId);
    await new Promise((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    return client;
  }

  /** Opens and says Connect. */
  static async connect(
    origin: string,
    options: {
      sessionId?: string;
      maxObservedTimestamp?: string;
      headers?: Record<string, string>;
    } = {},
  ): Promise<WireClient> {
    const client = await WireClient.open(origin, options.sessionId, options.headers);
    client.send({
      type: "Connect",
      sessionId: client.sessionId,
      connectionCount: 0,
      lastCloseReason: null,
      clientTs: Date.now(),
      ...(options.maxObservedTimestamp && { maxObservedTimestamp: options.maxObservedTimestamp }),
    });
    return client;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  sendBinary(bytes: Uint8Array): void {
    this.socket.send(bytes);
  }

  mutate(requestId: number, udfPath: string, args: unknown): void {
    this.send({ type: "Mutation", requestId, udfPath, args: [args] });
  }

  /** Breaks the connection without a close frame. */
  cut(): void {
    this.socket.terminate();
  }

  /** The first frame that matches, received or future. Rejects when the connection closes before. */
  until(isWanted: (frame: Frame) => boolean): Promise<Frame> {
    return new Promise((resolve, reject) => {
      this.listener = () => {
        const found = this.frames.find(isWanted);
        if (found !== undefined) resolve(found);
        else if (this.closeCode !== null) reject(new Error(`closed with ${this.closeCode}`));
      };
      this.listener();
    });
  }

  untilType(type: string): Promise<Frame> {
    return this.until((frame) => frame.type === type);
  }

  untilClosed(): Promise<number> {
    return new Promise((resolve) => {
      this.listener = () => {
        if (this.closeCode !== null) resolve(this.closeCode);
      };
      this.listener();
    });
  }
}
