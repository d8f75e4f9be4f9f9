import { expect, test } from "vitest";
import { addressGroup } from "./rate-limits";

test("an IPv4 address is a group of its own", () => {
  expect(addressGroup("203.0.113.7")).toBe("203.0.113.7");
  expect(addressGroup("203.0.113.8")).not.toBe(addressGroup("203.0.113.7"));
});

test("the IPv6 addresses of one /64 are one group, however they are written", () => {
  const group = addressGroup("2001:db8:7:1::1");
  for (const address of ["2001:db8:7:1::2", "2001:db8:7:1:ffff:ffff:ffff:ffff", "2001:0db8:7:1::"])
    expect(addressGroup(address), address).toBe(group);
});

test("IPv6 addresses of two /64 are two groups", () => {
  expect(addressGroup("2001:db8:7:2::1")).not.toBe(addressGroup("2001:db8:7:1::1"));
});
