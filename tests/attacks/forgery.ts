/** Tokens signed with the bank's own key, so that they differ from valid ones in one claim only. */
import { createPrivateKey, type KeyObject } from "node:crypto";
import { decodeProtectedHeader, SignJWT, type JWTPayload } from "jose";
import type { Bank, Visitor } from "./bank";

/** The key that signs this bank's tokens. */
export function bankKey(bank: Bank): KeyObject {
  const der = Buffer.from(bank.signingKeyPem.replace(/-----[A-Z ]+-----|\s/g, ""), "base64");
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

/** A token with these claims, signed like the person's own. */
export function signedAs(bank: Bank, { token }: Visitor, claims: JWTPayload): Promise<string> {
  const { kid } = decodeProtectedHeader(token);
  const header = { alg: "RS256", ...(kid !== undefined && { kid }) };
  return new SignJWT(claims).setProtectedHeader(header).sign(bankKey(bank));
}
