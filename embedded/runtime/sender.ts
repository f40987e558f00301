/** Who sends something: people, and strangers of one network, take turns, however many connections they have. */
import { isIP } from "node:net";
import { personOf, type Identity } from "./identity.ts";

/** Groups of an IPv6 address that identify a subscriber's line; the subscriber chooses the rest. */
const LINE_GROUPS = 4;
/** Those that identify a site, which may have 65,536 lines (RFC 6177). */
const SITE_GROUPS = 3;
const GROUPS = 8;

/** Null for this machine, because all clients of an unconfigured local proxy come from there. */
function networkOf(address: string, groupCount: number): string | null {
  if (address === "::1" || address.startsWith("127.")) return null;
  if (isIP(address) !== 6) return address;
  const [head = [], tail = []] = address
    .split("::")
    .map((half) => (half === "" ? [] : half.split(":")));
  const zeros = Array<string>(GROUPS - head.length - tail.length).fill("0");
  return [...head, ...zeros, ...tail].slice(0, groupCount).join(":");
}

/** The unit in which connections are counted: an IPv4 address or an IPv6 network of 64 bits; null for this machine. */
export const countedNetwork = (address: string): string | null => networkOf(address, LINE_GROUPS);

/**
 * The unit in which strangers take turns and have room for bodies: an IPv4 address or an IPv6 network of 48 bits; null
 * for this machine. By the line, one site's strangers would have as many turns as connections.
 */
export const siteOf = (address: string): string | null => networkOf(address, SITE_GROUPS);

/** What a stranger's site begins with here. No person does: their names begin with who vouches for them. */
const STRANGER = "@";

/** True for a stranger, as from `senderOf`, whose network is known. */
export const isStranger = (sender: string): boolean => sender.startsWith(STRANGER);

/** The person, or a stranger's site; empty for strangers of this machine, who are taken for as many people. */
export function senderOf(identity: Identity, ip: string | null): string {
  const person = personOf(identity);
  if (person !== "") return person;
  const site = ip === null ? null : siteOf(ip);
  return site === null ? "" : STRANGER + site;
}
