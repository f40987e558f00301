/**
 * The client's files: precompressed variants, immutable assets, and one document per page (its address may be
 * in capitals). Other addresses get `404.html` with status 404; a client without that file gets its shell for
 * every page.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { header } from "./http.ts";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml",
  ".pdf": "application/pdf",
};
/** Encodings in order of preference, with the suffix of their precompressed files. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

interface Content {
  readonly body: Buffer;
  readonly etag: string;
}

interface StaticFile {
  readonly contentType: string;
  readonly isImmutable: boolean;
  readonly plain: Content;
  readonly encoded: readonly (readonly [name: string, content: Content])[];
}

/** An encoded slash belongs to a page's name for the client, so no document matches it. */
const ENCODED_SLASH = /%2f/i;

/** Served for addresses without a document. */
const NOT_FOUND_PAGE = "/404.html";

/** Not with `/\/+$/`, which takes quadratic time for slashes that are not at the end. */
function withoutSlashesAtEnd(address: string): string {
  let end = address.length;
  while (address.endsWith("/", end) && end > 0) end -= 1;
  return address.slice(0, end);
}

/** The encodings named in a header, without those of weight 0 (RFC 9110, section 12.5.3). */
function acceptedEncodings(header: string): ReadonlySet<string> {
  const parts = header.toLowerCase().split(",");
  const wanted = parts.filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part));
  return new Set(wanted.map((part) => part.split(";")[0]!.trim()));
}

function contentOf(file: string): Content {
  const body = readFileSync(file);
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  return { body, etag };
}

/** Keeps all files in memory, some megabytes: a later build replaces the folder under a running server. */
export class StaticFiles {
  private readonly files = new Map<string, StaticFile>();

  /** Reads `dir` once: files added later are not served. A missing folder serves nothing. */
  constructor(dir: string) {
    if (!existsSync(dir)) return;
    for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) this.add(dir, path.join(entry.parentPath, entry.name));
    }
  }

  /** Serves a GET or HEAD. Returns false when nothing matches. */
  serve(request: IncomingMessage, response: ServerResponse, pathname: string): boolean {
    const found = this.find(pathname);
    if (found === null) return false;
    const accepted = acceptedEncodings(header(request, "accept-encoding") ?? "");
    const encoding = found.encoded.find(([name]) => accepted.has(name));
    const isMissing = found === this.files.get(NOT_FOUND_PAGE);
    const { body, etag } = encoding?.[1] ?? found.plain;
    response.setHeader("ETag", etag);
    response.setHeader("Vary", "Accept-Encoding");
    response.setHeader(
      "Cache-Control",
      found.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    );
    if (!isMissing && header(request, "if-none-match") === etag) {
      response.writeHead(304).end();
      return true;
    }
    response.writeHead(isMissing ? 404 : 200, {
      "Content-Type": found.contentType,
      "Content-Length": body.length,
      ...(encoding !== undefined && { "Content-Encoding": encoding[0] }),
    });
    response.end(request.method === "HEAD" ? undefined : body);
    return true;
  }

  private find(pathname: string): StaticFile | null {
    let decoded: string;
    try {
      decoded = decodeURIComponent(pathname);
    } catch {
      // "/50%off"
      return this.files.get(NOT_FOUND_PAGE) ?? null;
    }
    // A document is served only at its page's address; the client has no page at the address of the file.
    const isDocumentName = decoded.endsWith(".html");
    const exact = isDocumentName ? undefined : this.files.get(decoded);
    if (exact !== undefined) return exact;
    // An address with a file extension that matches no file is not found; everything else is a page of the
    // application.
    if (!isDocumentName && path.posix.extname(decoded) !== "") return null;
    const isPage = !isDocumentName && !ENCODED_SLASH.test(pathname);
    return (
      (isPage ? this.page(withoutSlashesAtEnd(decoded)) : undefined) ??
      this.files.get(NOT_FOUND_PAGE) ??
      this.files.get("/index.html") ??
      null
    );
  }

  /** The client's routes ignore case, and the client takes over whichever document it gets. */
  private page(address: string): StaticFile | undefined {
    return this.document(address) ?? this.document(address.toLowerCase());
  }

  private document(address: string): StaticFile | undefined {
    // A folder's document has no address of its own: the client would find no page there.
    const named = address.endsWith("/index") ? undefined : this.files.get(`${address}.html`);
    return this.files.get(`${address}/index.html`) ?? named;
  }

  private add(dir: string, file: string): void {
    const extension = path.extname(file);
    if (ENCODINGS.some(([, suffix]) => suffix === extension)) return;
    const urlPath = `/${path.relative(dir, file).split(path.sep).join("/")}`;
    this.files.set(urlPath, {
      contentType: CONTENT_TYPES[extension] ?? "application/octet-stream",
      // Vite puts a content hash into these names.
      isImmutable: urlPath.startsWith("/assets/"),
      plain: contentOf(file),
      encoded: ENCODINGS.filter(([, suffix]) => existsSync(file + suffix)).map(
        ([name, suffix]) => [name, contentOf(file + suffix)] as const,
      ),
    });
  }
}
