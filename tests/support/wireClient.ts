/** The unmodified official client, signed in through both steps against a running server. */
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { api } from "../../convex/_generated/api";
import { DEMO_CODES, DEMO_PASSWORD } from "../e2e/support/people";

interface SignedInClient {
  readonly client: ConvexClient;
  readonly token: string;
  close(): Promise<void>;
}

/** Access token after the password step. */
export async function passwordToken(
  url: string,
  email: string,
  password: string = DEMO_PASSWORD,
): Promise<string> {
  const http = new ConvexHttpClient(url, { logger: false });
  const answer = await http.action(api.auth.signIn, {
    provider: "password",
    params: { flow: "signIn", email, password },
  });
  const token = answer.tokens?.token;
  if (!token) throw new Error(`no token for ${email}`);
  return token;
}

async function pastBothSteps(url: string, email: string, code: string) {
  const token = await passwordToken(url, email);
  const http = new ConvexHttpClient(url, { logger: false });
  http.setAuth(token);
  const verified = await http.mutation(api.otp.verifyLogin, { code });
  if (!verified.ok) throw new Error(`code refused for ${email}: ${verified.message}`);
  return { http, token };
}

/** A client over plain HTTP past both steps. */
export async function signedInHttp(url: string, email: string): Promise<ConvexHttpClient> {
  return (await pastBothSteps(url, email, DEMO_CODES[0])).http;
}

/** A WebSocket client past both steps. The token is kept for the client's life (10 minutes). */
export async function signedInClient(
  url: string,
  email: string,
  code: string = DEMO_CODES[0],
): Promise<SignedInClient> {
  const { token } = await pastBothSteps(url, email, code);
  const client = new ConvexClient(url, { logger: false });
  client.setAuth(async () => token);
  return { client, token, close: () => client.close() };
}
