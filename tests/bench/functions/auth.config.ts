/** Accepts tokens signed with the benchmark's own key; their subject is a person's id. */
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
