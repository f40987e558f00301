/** People whose sessions outlive their tokens and the server's outages, for runs of many minutes. */
import { setTimeout as delay } from "node:timers/promises";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { api } from "../../convex/_generated/api";
import { DEMO_CODES, DEMO_PASSWORD } from "../e2e/support/people";

/** Retries until it works: the server may be down at the moment. */
async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries > 200) throw error;
      await delay(100);
    }
  }
}

/** Someone past both steps whose tokens are refreshed, as the official React client does. */
export async function lastingPerson(url: string, email: string) {
  const http = new ConvexHttpClient(url, { logger: false });
  const signIn = (args: Parameters<typeof http.action<typeof api.auth.signIn>>[1]) =>
    http.action(api.auth.signIn, args);
  const first = await untilDone(() =>
    signIn({ provider: "password", params: { flow: "signIn", email, password: DEMO_PASSWORD } }),
  );
  let tokens = first.tokens;
  if (!tokens) throw new Error(`no tokens for ${email}`);
  http.setAuth(tokens.token);
  await untilDone(() => http.mutation(api.otp.verifyLogin, { code: DEMO_CODES[0] }));
  const token = async ({ forceRefreshToken }: { forceRefreshToken: boolean }): Promise<string> => {
    const refreshToken = tokens?.refreshToken ?? "";
    if (forceRefreshToken) {
      const answer = await untilDone(() => signIn({ refreshToken }));
      tokens = answer.tokens ?? tokens;
      http.setAuth(tokens?.token ?? "");
    }
    return tokens?.token ?? "";
  };
  const open = (): ConvexClient => {
    const client = new ConvexClient(url, { logger: false });
    client.setAuth(token);
    return client;
  };
  return { http, open, refresh: () => token({ forceRefreshToken: true }) };
}
