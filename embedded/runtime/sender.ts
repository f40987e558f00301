/** Who sends something: people, and strangers of one network, take turns, however many connections they have. */
import { isIP } from "node:net";
import { personOf, type Identity } from "./identity.ts";

/** Groups of an IPv6 address that identify a subscriber; the subscriber chooses the rest. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * The unit in which clients are counted: an IPv4 address or an IPv6 network of 64 bits. Null for this
 * machine, because all clients of an unconfigured local proxy come from there.
 */
export function countedNetwork(address: string): string | null {
  if (address === "::1" || address.startsWith("127.")) return null;
  if (isIP(address) !== 6) return address;
  const [head = [], tail = []] = address
    .split("::")
    .map((half) => (half === "" ? [] : half.split(":")));
  const zeros = Array<string>(GROUPS - head.length - tail.length).fill("0");
  return [...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(":");
}

/** The person, or a stranger's network; empty for strangers of this machine, who are taken for as many people. */
export function senderOf(identity: Identity, ip: string | null): string {
  return personOf(identity) || (ip === null ? "" : (countedNetwork(ip) ?? ""));
}
