/**
 * Which networks an address belongs to, for limits by address.
 *
 * An IPv6 line has 2^64 addresses or more and may use a new one for each connection, so its network
 * counts as one address. Sites are given networks of up to 48 bits (RFC 6177), which hold 65,536 of these.
 * Not here: the limits themselves and the hash that is stored (model/limits).
 */
const GROUPS = 8;
const GROUP = /^[0-9a-f]{1,4}$/;
const IPV4_TAIL = /(?<=:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
const IPV4_MAPPED = [0, 0, 0, 0, 0, 0xffff].join();

/** The eight numbers of an IPv6 address in any of its spellings; null for any other text. */
function groupsOf(address: string): number[] | null {
  const text = address
    .toLowerCase()
    .replace(/%.*$/, "")
    .replace(IPV4_TAIL, (_tail, ...parts: string[]) => {
      const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
      return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
    });
  const halves = text.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const [head = [], tail = []] = halves;
  const missing = GROUPS - head.length - tail.length;
  const isWhole = halves.length === 1 ? missing === 0 : halves.length === 2 && missing > 0;
  if (!isWhole || ![...head, ...tail].every((group) => GROUP.test(group))) return null;
  const zeros = Array.from({ length: missing }, () => "0");
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

/**
 * One text for each network of an address, the narrowest first: the first 64 and the first 48 bits of an IPv6
 * address; an IPv4 address itself, even when written as an IPv6 one (::ffff:203.0.113.1). Any other text is left as
 * it is.
 */
export function networksOf(address: string): [narrowest: string, ...wider: string[]] {
  const groups = groupsOf(address);
  if (groups === null) return [address];
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 6).join() === IPV4_MAPPED) {
    return [[high >> 8, high & 255, low >> 8, low & 255].join(".")];
  }
  const firstOf = (count: number) =>
    groups
      .slice(0, count)
      .map((group) => group.toString(16))
      .join(":");
  return [`${firstOf(4)}::/64`, `${firstOf(3)}::/48`];
}
