import { describe, expect, test } from "vitest";
import { isInSet, isRangeWithin, normalizeRange, toAddressSet } from "./address-ranges";

describe("normalizes a range", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1/32"],
    ["10.1.2.3/8", "10.0.0.0/8"],
    ["10.1.2.3/0", "0.0.0.0/0"],
    ["172.31.255.255/12", "172.16.0.0/12"],
    [" 192.0.2.129/25 ", "192.0.2.128/25"],
    ["2001:DB8:0:0::1", "2001:db8::1/128"],
    ["2001:db8:ffff::/33", "2001:db8:8000::/33"],
    ["fe80::1/10", "fe80::/10"],
    ["::/0", "::/0"],
    ["::ffff:192.0.2.1", "192.0.2.1/32"],
    ["::ffff:c000:201/120", "192.0.2.0/24"],
  ])("%s is %s", (given, expected) => {
    expect(normalizeRange(given)).toBe(expected);
    expect(normalizeRange(expected)).toBe(expected);
  });

  test.each([
    ["", "example.com", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0.0/", "10.0.0.0/8/8"],
    [
      "10.0.0",
      "010.0.0.1",
      "0x7f.0.0.1",
      "2130706433",
      "::1/129",
      "fe80::1%eth0",
      "::ffff:1.2.3.4/95",
    ],
  ])("rejects an invalid range: %s", (...texts) => {
    for (const text of texts) expect(normalizeRange(text), text).toBeUndefined();
  });
});

test("an address is only in ranges of the same family, and IPv4 written as IPv6 is IPv4", () => {
  const set = toAddressSet(["10.0.0.0/8", "2001:db8::/32"]);
  const inside = ["10.255.0.1", "2001:db8::5", "::ffff:10.0.0.1"];
  const outside = ["11.0.0.1", "2001:db9::1", "::1", "unknown", ""];
  expect(inside.filter((address) => !isInSet(set, address))).toEqual([]);
  expect(outside.filter((address) => isInSet(set, address))).toEqual([]);
});

test.each([
  ["10.1.0.0/16", "10.0.0.0/8", true],
  ["10.0.0.0/8", "10.0.0.0/8", true],
  ["10.0.0.0/7", "10.0.0.0/8", false],
  ["11.0.0.0/16", "10.0.0.0/8", false],
  ["2001:db8::/32", "0.0.0.0/0", false],
  ["10.0.0.0/8", "::/0", false],
])("the range %s is within %s: %j", (range, other, isWithin) => {
  expect(isRangeWithin(range, other)).toBe(isWithin);
});
