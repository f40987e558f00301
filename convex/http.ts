/**
 * HTTP routes: the auth library's discovery documents, and private cheque images.
 *
 * A default export, because Convex demands it.
 */
import { httpRouter } from "convex/server";
import { auth } from "./auth";

const http = httpRouter();
auth.addHttpRoutes(http);

export default http;
