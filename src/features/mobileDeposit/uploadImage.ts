/** Sends one check image with its progress. Not here: who may upload (the server), which photo (the form). */
import { isAppErrorData } from "#shared/errors";
import { ConvexError } from "convex/values";

interface UploadRequest {
  readonly url: string;
  /** The session's access token. */
  readonly token: string;
  readonly image: Blob;
  /** Called with 0 to 1 while the bytes are being sent. */
  readonly onProgress: (share: number) => void;
}

const HTTP_OK = 200;

/**
 * How long an upload may go on without a sign of life. A line that swallows everything ends no request, and browsers wait
 * for a quarter of an hour. The server itself takes no photo for longer than two minutes, of which the system's own
 * buffers may hide all.
 */
export const SILENT_UPLOAD_MS = 150_000;

/** The body of a response as an object; empty for anything else. */
function fieldsOf(body: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The error of a response: the server's own refusal if it gave one. */
function errorOf(body: string): Error {
  const { code, message } = fieldsOf(body);
  const refusal = { code, message };
  return isAppErrorData(refusal)
    ? new ConvexError({ code: refusal.code, message: refusal.message })
    : new Error("the image was not uploaded");
}

/**
 * Uploads an image and returns its id. Uses XMLHttpRequest because fetch cannot report upload progress.
 * @throws ConvexError with the server's refusal; Error when there was no usable response
 */
export function uploadImage(request: UploadRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout>;
    const expectLife = () => {
      clearTimeout(timer);
      timer = setTimeout(() => xhr.abort(), SILENT_UPLOAD_MS);
    };
    xhr.addEventListener("loadend", () => clearTimeout(timer));
    xhr.open("POST", request.url);
    xhr.setRequestHeader("Authorization", `Bearer ${request.token}`);
    xhr.setRequestHeader("Content-Type", request.image.type || "application/octet-stream");
    xhr.upload.addEventListener("progress", (event) => {
      expectLife();
      if (event.lengthComputable) request.onProgress(event.loaded / event.total);
    });
    xhr.addEventListener("load", () => {
      const { imageId } = fieldsOf(xhr.responseText);
      if (xhr.status === HTTP_OK && typeof imageId === "string") resolve(imageId);
      else reject(errorOf(xhr.responseText));
    });
    xhr.addEventListener("error", () => reject(errorOf("")));
    xhr.addEventListener("abort", () => reject(errorOf("")));
    expectLife();
    xhr.send(request.image);
  });
}
