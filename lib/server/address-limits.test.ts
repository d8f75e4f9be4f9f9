import { describe, expect, test } from "vitest";
import { createAddressLimits, networksOf } from "./address-limits";

const quotas = { connections: 2, requests: 2, anonymousPerMinute: 10, anonymousWindowMs: 60_000 };
const ipv4 = networksOf("192.0.2.1");
/** Addresses of one /48, each in a separate /64. */
const inOne48 = (n: number) => networksOf(`2001:db8:7:${n.toString(16)}::1`);

describe("open connections and requests", () => {
  test("are limited by IPv4 address, and released", () => {
    const limits = createAddressLimits(quotas);
    expect(limits.acquire("connections", ipv4)).toBe(true);
    expect(limits.acquire("connections", ipv4)).toBe(true);
    expect(limits.acquire("connections", ipv4)).toBe(false);
    expect(limits.acquire("requests", ipv4)).toBe(true);
    expect(limits.acquire("connections", networksOf("192.0.2.2"))).toBe(true);
    limits.release("connections", ipv4);
    expect(limits.acquire("connections", ipv4)).toBe(true);
  });

  test("of IPv6 are limited by /64", () => {
    const limits = createAddressLimits(quotas);
    const attempts = ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::3"].map((one) =>
      limits.acquire("requests", networksOf(one)),
    );
    expect(attempts).toEqual([true, true, false]);
    expect(limits.acquire("requests", networksOf("2001:db8:0:1::1"))).toBe(true);
  });

  test("of IPv6 are limited by /48, which has four times as much", () => {
    const limits = createAddressLimits(quotas);
    const attempts = Array.from({ length: 9 }, (_, n) => limits.acquire("requests", inOne48(n)));
    expect(attempts).toEqual([...Array<boolean>(8).fill(true), false]);
    expect(limits.acquire("requests", networksOf("2001:db8:8::1"))).toBe(true);
  });

  test("leave no entries in memory once they are released", () => {
    const limits = createAddressLimits({ ...quotas, requests: 1_000_000 });
    for (let n = 0; n < 1000; n += 1) limits.acquire("requests", inOne48(n));
    expect(limits.size()).toBe(1001);
    for (let n = 0; n < 1000; n += 1) limits.release("requests", inOne48(n));
    expect(limits.size()).toBe(0);
  });
});

describe("anonymous requests a minute", () => {
  test("are limited by address until the minute is over", () => {
    let now = 0;
    const limits = createAddressLimits(quotas, () => now);
    for (let n = 0; n < 9; n += 1) limits.addAnonymous(ipv4);
    expect(limits.secondsUntilAnonymous(ipv4)).toBe(0);
    limits.addAnonymous(ipv4);
    now = 20_000;
    expect(limits.secondsUntilAnonymous(ipv4)).toBe(40);
    expect(limits.secondsUntilAnonymous(networksOf("192.0.2.2"))).toBe(0);
    now = 60_000;
    expect(limits.secondsUntilAnonymous(ipv4)).toBe(0);
  });

  test("that each come from another /64 are limited by their /48", () => {
    const limits = createAddressLimits(quotas);
    for (let n = 0; n < 40; n += 1) limits.addAnonymous(inOne48(n));
    expect(limits.secondsUntilAnonymous(inOne48(50))).toBeGreaterThan(0);
    expect(limits.secondsUntilAnonymous(networksOf("2001:db8:8::1"))).toBe(0);
  });

  test("from 20,000 networks neither reset another's count nor exhaust the limit of one that sent nothing", () => {
    const limits = createAddressLimits(quotas);
    for (let n = 0; n < 10; n += 1) limits.addAnonymous(ipv4);
    for (let n = 0; n < 20_000; n += 1)
      limits.addAnonymous(networksOf(`2001:${n.toString(16)}::1`));
    expect(limits.secondsUntilAnonymous(ipv4)).toBeGreaterThan(0);
    const innocent = Array.from({ length: 100 }, (_, n) =>
      limits.secondsUntilAnonymous(networksOf(`198.51.100.${n}`)),
    );
    expect(innocent).toEqual(Array(100).fill(0));
  });
});
