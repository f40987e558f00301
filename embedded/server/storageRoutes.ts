/** `/api/storage`: uploads with a token, downloads by address with ranges. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { BlobTooLargeError, isBlobUuid } from "../runtime/blobs.ts";
import { isContentType } from "../runtime/files.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { readNewest } from "../runtime/tableReads.ts";
import { HttpError, header, sendJson } from "./http.ts";

/** Others, of another algorithm too, are refused, as on the real backend: their senders count on a check. */
const DIGEST = /^sha-256=[A-Za-z\d+/]{43}=$/;

/** Streams the request's body into a stored file. @throws HttpError 401, 413, 400 */
export async function serveUpload(
  runtime: Runtime,
  request: IncomingMessage,
  response: ServerResponse,
  options: { token: string; maxBytes: number },
): Promise<void> {
  const { files } = runtime.deployment;
  const use = files.useOfUploadToken(options.token);
  if (use === "forged")
    throw new HttpError(401, "StorageTokenInvalid", "The upload token is invalid");
  if (use === "expired")
    throw new HttpError(401, "StorageTokenExpired", "The upload token has expired");
  const contentType = header(request, "content-type") ?? null;
  if (contentType !== null && !isContentType(contentType)) {
    throw new HttpError(400, "BadHeader", "Bad header for content-type: invalid HTTP header");
  }
  const digest = header(request, "digest");
  if (digest !== undefined && !DIGEST.test(digest)) {
    throw new HttpError(400, "BadHeader", "Bad header for digest: invalid HTTP header");
  }
  const uuid = files.newUuid();
  const info = await files.blobs.write(uuid, request, options.maxBytes).catch((error: unknown) => {
    if (!(error instanceof BlobTooLargeError)) throw error;
    throw new HttpError(413, "PayloadTooLarge", error.message);
  });
  if (digest !== undefined && digest !== `sha-256=${info.sha256}`) {
    await files.discard(uuid);
    throw new HttpError(400, "BadDigest", "The sha256 of the file does not match");
  }
  const storageId = await runtime.recordFile(uuid, info, contentType);
  sendJson(response, 200, JSON.stringify({ storageId }));
}

/** A single `bytes=a-b` range within `size`; null for none, or without bytes; "unsatisfiable" past the end. */
function parseRange(
  text: string | undefined,
  size: number,
): { start: number; end: number } | null | "unsatisfiable" {
  const match = /^bytes=(\d*)-(\d*)$/.exec(text ?? "");
  if (match === null || size === 0) return null;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return null;
  const start = first === "" ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start > end ? "unsatisfiable" : { start, end };
}

/** Sends the file at `/api/storage/<uuid>`. @throws HttpError 404, 416. */
export async function serveDownload(
  runtime: Runtime,
  request: IncomingMessage,
  response: ServerResponse,
  uuid: string,
): Promise<void> {
  const { files } = runtime.deployment;
  const file = isBlobUuid(uuid) ? readNewest(runtime.db, (txn) => files.byUuid(txn, uuid)) : null;
  if (file === null) throw new HttpError(404, "FileNotFound", "File not found");
  const range = parseRange(header(request, "range"), file.sizeBytes);
  if (range === "unsatisfiable") {
    response.setHeader("Content-Range", `bytes */${file.sizeBytes}`);
    throw new HttpError(416, "RangeNotSatisfiable", "The range lies outside of the file");
  }
  const bytes = files.blobs.read(uuid, range ?? undefined);
  if (bytes === null) throw new HttpError(404, "FileNotFound", "File not found");
  const lengthBytes = range === null ? file.sizeBytes : range.end - range.start + 1;
  try {
    response.writeHead(range === null ? 200 : 206, {
      "Content-Type": file.contentType ?? "application/octet-stream",
      "Content-Length": lengthBytes,
      "Cache-Control": "private, max-age=2592000",
      "Accept-Ranges": "bytes",
      Digest: `sha-256=${file.sha256}`,
      // Security: stored files come from users and must not run scripts on our origin.
      "Content-Security-Policy": "sandbox; default-src 'none'",
      ...(range !== null && {
        "Content-Range": `bytes ${range.start}-${range.end}/${file.sizeBytes}`,
      }),
    });
    if (request.method === "HEAD") response.end();
    else await pipeline(bytes, exactly(lengthBytes), response);
  } finally {
    // Unread, also where Node takes an imported type for invalid: the stream would keep the file open.
    bytes.destroy();
  }
}

/**
 * Passes on `lengthBytes`, as announced: after fewer or more, the connection's next answer would be
 * taken for a part of this one. The error ends the connection, which tells the client.
 */
function exactly(lengthBytes: number) {
  return async function* (bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let leftBytes = lengthBytes;
    for await (const chunk of bytes) {
      leftBytes -= chunk.length;
      if (leftBytes < 0) break;
      yield chunk;
    }
    if (leftBytes !== 0) throw new Error("A stored file differs in size from its record");
  };
}
