/** The benchmark is not run by `npm test`: its tokens are what a stricter check of tokens would break unnoticed. */
import { expect, onTestFinished, test, vi } from "vitest";
import { TokenVerifier } from "../../../embedded/runtime/tokens";
import { peerTokens } from "../../bench/people";

test("the tokens of the benchmark's own bank are those of its people", async () => {
  const { jwksUri, tokenOf } = await peerTokens();
  vi.stubEnv("JWKS_DATA_URI", jwksUri);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { default: config } = await import("../../bench/functions/auth.config");
  const [provider] = config.providers;
  const verifier = new TokenVerifier([{ ...provider!, type: "customJwt" }], fetch);
  expect(await verifier.verify(await tokenOf("maya"))).toMatchObject({
    kind: "user",
    attributes: { subject: "maya" },
  });
});
