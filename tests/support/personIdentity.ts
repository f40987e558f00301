import type { Identity } from "../../embedded/runtime/identity";

/** Who is signed in as `person`, as the authenticator tells it from a token that never expires. */
export const personIdentity = (person: string): Identity => ({
  kind: "user",
  attributes: { tokenIdentifier: `people|${person}` },
  person,
  token: "token",
  expiresAtS: Infinity,
});
