/** The unmodified official client, signed in through both steps against a running server. */
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { api } from "../../convex/_generated/api";
import { DEMO_CODES, DEMO_PASSWORD } from "../e2e/support/people";

interface SignedInClient {
  readonly client: ConvexClient;
  readonly token: string;
  close(): Promise<void>;
}

async function passwordStep(url: string, email: string, password: string) {
  const http = new ConvexHttpClient(url, { logger: false });
  const { tokens } = await http.action(api.auth.signIn, {
    provider: "password",
    params: { flow: "signIn", email, password },
  });
  if (!tokens) throw new Error(`no token for ${email}`);
  return tokens;
}

/** Access token after the password step. */
export async function passwordToken(
  url: string,
  email: string,
  password: string = DEMO_PASSWORD,
): Promise<string> {
  return (await passwordStep(url, email, password)).token;
}

/** A session past both steps: its tokens, and a client over plain HTTP. */
export async function newSession(url: string, email: string, code: string = DEMO_CODES[0]) {
  const { token, refreshToken } = await passwordStep(url, email, DEMO_PASSWORD);
  const http = new ConvexHttpClient(url, { logger: false });
  http.setAuth(token);
  const verified = await http.mutation(api.otp.verifyLogin, { code });
  if (!verified.ok) throw new Error(`code refused for ${email}: ${verified.message}`);
  return { http, token, refreshToken };
}

/** A client over plain HTTP past both steps. */
export async function signedInHttp(url: string, email: string): Promise<ConvexHttpClient> {
  return (await newSession(url, email)).http;
}

/** A WebSocket client past both steps. The token is kept for the client's life (10 minutes). */
export async function signedInClient(
  url: string,
  email: string,
  code: string = DEMO_CODES[0],
): Promise<SignedInClient> {
  const { token } = await newSession(url, email, code);
  const client = new ConvexClient(url, { logger: false });
  client.setAuth(async () => token);
  return { client, token, close: () => client.close() };
}
