/** Tokens of the benchmark's own key, whose subject is a person's id. */
export default {
  providers: [
    {
      type: "customJwt",
      issuer: "http://peer.example",
      applicationID: "bench",
      algorithm: "RS256",
      jwks: process.env.JWKS_DATA_URI ?? "",
    },
  ],
};
