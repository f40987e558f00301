/** Limits per address treat all addresses of one IPv6 network as one, and its site as several. */
import { describe, expect, test } from "vitest";
import { networksOf } from "../../convex/shared/networks";

describe("the networks of an address", () => {
  test.each([
    ["2001:db8:1:2::1", ["2001:db8:1:2::/64", "2001:db8:1::/48"]],
    ["2001:DB8:1:2:aaaa:bbbb:cccc:dddd", ["2001:db8:1:2::/64", "2001:db8:1::/48"]],
    ["2001:0db8:0001:0002:0:0:0:1", ["2001:db8:1:2::/64", "2001:db8:1::/48"]],
    ["2001:db8:1:2:3:4:203.0.113.1", ["2001:db8:1:2::/64", "2001:db8:1::/48"]],
    ["2001:db8:1:3::1", ["2001:db8:1:3::/64", "2001:db8:1::/48"]],
    ["2001:db8::1", ["2001:db8:0:0::/64", "2001:db8:0::/48"]],
    ["fe80::1%eth0", ["fe80:0:0:0::/64", "fe80:0:0::/48"]],
    ["::1", ["0:0:0:0::/64", "0:0:0::/48"]],
    ["::", ["0:0:0:0::/64", "0:0:0::/48"]],
    ["1:2:3:4:5:6:7::", ["1:2:3:4::/64", "1:2:3::/48"]],
  ])("of %s are %s", (address, networks) => {
    expect(networksOf(address)).toEqual(networks);
  });

  test.each([
    "203.0.113.1",
    "::ffff:203.0.113.1",
    "::FFFF:cb00:7101",
    "0:0:0:0:0:ffff:203.0.113.1",
  ])("of %s are the plain IPv4 address alone", (address) => {
    expect(networksOf(address)).toEqual(["203.0.113.1"]);
  });

  test.each([
    "",
    "unknown",
    "203.0.113",
    ":",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4::5:6:7:8",
    "g::",
  ])("of the invalid address %j are the text itself", (text) => {
    expect(networksOf(text)).toEqual([text]);
  });
});
