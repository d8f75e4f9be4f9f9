import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { trustedProxies } from "@/lib/protocol/setting-formats";
import { peerOf } from "./peer";

const request = (remoteAddress: string, forwardedFor?: string) =>
  ({
    socket: { remoteAddress },
    headers: { "x-forwarded-for": forwardedFor },
  }) as unknown as IncomingMessage;

const peer = (proxies: string, remoteAddress: string, forwardedFor?: string) =>
  peerOf(request(remoteAddress, forwardedFor), trustedProxies(proxies));

describe("the address that a request counts for", () => {
  test("is the socket's while no proxy is trusted", () => {
    expect(peer("", "192.0.2.1", "198.51.100.7")).toBe("192.0.2.1");
  });

  test("is the socket's if that is not a trusted proxy", () => {
    expect(peer("10.0.0.0/8", "192.0.2.1", "198.51.100.7")).toBe("192.0.2.1");
  });

  test.each([
    [
      "the right-most entry, not what the client wrote before it",
      "198.51.100.7",
      "6.6.6.6, 198.51.100.7",
    ],
    ["past further trusted proxies", "198.51.100.7", "6.6.6.6, 198.51.100.7, 10.0.0.2"],
    ["without port", "198.51.100.7", "198.51.100.7:5555"],
    ["IPv6 without brackets and port", "2001:db8::7", "[2001:db8::7]:443"],
    ["IPv4 in IPv6 as IPv4", "198.51.100.7", "::ffff:198.51.100.7"],
    ["IPv4 in IPv6 as IPv4, in hexadecimal too", "198.51.100.7", "::FFFF:c633:6407"],
    ["IPv6 in one spelling", "2001:db8::7", "2001:0DB8:0:0::7"],
    ["the left-most one when all are trusted", "10.0.0.9", "10.0.0.9, 10.0.0.2"],
    ["the proxy's own when it says nothing", "10.0.0.1", ""],
    [
      "the proxy's own when it names none, never the claim further left",
      "10.0.0.1",
      "6.6.6.6, unknown",
    ],
  ])("behind a trusted proxy: %s", (_, expected, forwardedFor) => {
    expect(peer("10.0.0.0/8", "10.0.0.1", forwardedFor)).toBe(expected);
  });

  test("unwraps IPv4 of a dual-stack socket, for trust as for counting", () => {
    expect(peer("", "::ffff:192.0.2.1")).toBe("192.0.2.1");
    expect(peer("10.0.0.0/8", "::ffff:10.0.0.1", "198.51.100.7")).toBe("198.51.100.7");
  });

  test("trusts single addresses and IPv6 ranges", () => {
    expect(peer("127.0.0.1, fd00::/8", "fd00::1", "198.51.100.7")).toBe("198.51.100.7");
    expect(peer("127.0.0.1, fd00::/8", "127.0.0.2", "198.51.100.7")).toBe("127.0.0.2");
  });
});

test.each(["10.0.0.0/33", "10.0.0/8", "proxy.example", "10.0.0.0/", "fd00::/129"])(
  "TRUSTED_PROXIES rejects %s at the start",
  (list) => {
    expect(() => trustedProxies(list)).toThrow("neither an address nor a range");
  },
);
