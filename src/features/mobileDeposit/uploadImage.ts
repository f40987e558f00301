/** Sends one check image with its progress. Not here: who may (the server), which photo (the form). */

export interface UploadRequest {
  readonly url: string;
  /** The session's access token. */
  readonly token: string;
  readonly image: Blob;
  /** Called with 0 to 1 while the bytes leave. */
  readonly onProgress: (share: number) => void;
}

/** A refusal of the upload with the server's sentence; `null` when there was no answer at all. */
export class UploadError extends Error {
  readonly serverMessage: string | null;
  constructor(serverMessage: string | null) {
    super(serverMessage ?? "the image was not uploaded");
    this.name = "UploadError";
    this.serverMessage = serverMessage;
  }
}

/** The text of a field of a JSON answer; null for anything else. */
function textField(body: string, field: string): string | null {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null) return null;
    const value: unknown = (parsed as Record<string, unknown>)[field];
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

/**
 * Uploads an image and answers its id. XMLHttpRequest because fetch cannot report upload progress.
 * @throws UploadError
 */
export function uploadImage(request: UploadRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open("POST", request.url);
    xhr.setRequestHeader("Authorization", `Bearer ${request.token}`);
    xhr.setRequestHeader("Content-Type", request.image.type || "application/octet-stream");
    xhr.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) request.onProgress(event.loaded / event.total);
    });
    xhr.addEventListener("load", () => {
      const imageId = xhr.status === 200 ? textField(xhr.responseText, "imageId") : null;
      if (imageId === null) reject(new UploadError(textField(xhr.responseText, "message")));
      else resolve(imageId);
    });
    xhr.addEventListener("error", () => reject(new UploadError(null)));
    xhr.addEventListener("abort", () => reject(new UploadError(null)));
    xhr.send(request.image);
  });
}
