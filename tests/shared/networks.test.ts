/** Limits per address treat all addresses of one IPv6 network as one. */
import { describe, expect, test } from "vitest";
import { networkOf } from "../../convex/shared/networks";

describe("the network of an address", () => {
  test.each([
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2:aaaa:bbbb:cccc:dddd", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002:0:0:0:1", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:3:4:203.0.113.1", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
  ])("of %s is %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test.each([
    "203.0.113.1",
    "::ffff:203.0.113.1",
    "::FFFF:cb00:7101",
    "0:0:0:0:0:ffff:203.0.113.1",
  ])("of %s is the plain IPv4 address", (address) => {
    expect(networkOf(address)).toBe("203.0.113.1");
  });

  test.each([
    "",
    "unknown",
    "203.0.113",
    ":",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "g::",
  ])("of the invalid address %j is the text itself", (text) => {
    expect(networkOf(text)).toBe(text);
  });
});
