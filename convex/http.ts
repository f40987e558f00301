/**
 * HTTP routes: the auth library's discovery documents, and private cheque images.
 *
 * A default export, because Convex requires it.
 */
import { httpRouter } from "convex/server";
import { auth } from "./auth";
import { addDepositImageRoutes } from "./depositImageRoutes";

const http = httpRouter();
auth.addHttpRoutes(http);
addDepositImageRoutes(http);

export default http;
