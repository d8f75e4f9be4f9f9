import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sendEvent as send } from "@/lib/features/destinations/webhooks/send";
import type { Resolve } from "@/lib/features/events/delivery/target";
import { isAllowedAddress, urlProblem } from "@/lib/features/events/delivery/target";

/** Counts the connections to this machine, on every address that it has. */
let listener: Server;
let port = 0;
let connections = 0;

beforeAll(async () => {
  listener = createServer((_, response) => response.end("secret of the inner network"));
  listener.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => listener.listen(0, "::", resolve));
  port = (listener.address() as AddressInfo).port;
});
afterAll(() => listener.close());

const message = { eventId: "evt_00000000000000000000000000", body: "{}" };
const secrets = [Buffer.alloc(32)];

/** Notations of loopback, private, link-local, metadata and reserved addresses in a URL. */
const literals = [
  ...["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0x7f.1"],
  ...["017700000001", "0177.0.0.1", "0177.1", "127.0.0.1.", "127.255.255.254", "127.000.000.001"],
  ...["0", "0.0.0.0", "0x0", "00000000", "%31%32%37.0.0.1", "127。0。0。1", "１２７.０.０.１"],
  ...["①②⑦.⓪.⓪.①", "10.0.0.1", "10.1", "167772161", "0xa000001", "012.0.0.1"],
  ...["172.16.0.1", "172.31.255.255", "2886729729", "192.168.0.1", "192.168.1", "3232235521"],
  ...["0300.0250.0.1", "169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376"],
  ...["169.254.43518", "100.100.100.200", "100.64.0.1", "168.63.129.16", "192.0.0.192"],
  ...["198.18.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1", "192.0.2.1", "203.0.113.7"],
  ...["[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"],
  ...["[0:0:0:0:0:ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[::127.0.0.1]"],
  ...["[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::a00:1]", "[2002:7f00:1::]"],
  ...["[2001:0:7f00:1::]", "[fe80::1]", "[febf::1]", "[fc00::1]", "[fd00:ec2::254]"],
  ...["[fec0::1]", "[ff02::1]", "[2001:db8::1]", "[100::1]", "[5f00::1]", "[::ffff:0:127.0.0.1]"],
];

test("60 and more notations of internal addresses are rejected when they are configured and when they are sent to, without a connection", async () => {
  expect(new Set(literals).size).toBeGreaterThanOrEqual(60);
  for (const host of literals) {
    const url = `http://${host}:${port}/`;
    expect(urlProblem(url), host).toBeDefined();
    expect(await send({ url, secrets }, message), host).toMatchObject({ isDelivered: false });
  }
  expect(connections).toBe(0);
});

const names: [string, string[]][] = [
  ["loopback", ["127.0.0.1"]],
  ["loopback of IPv6", ["::1"]],
  ["mapped", ["::ffff:127.0.0.1"]],
  ["mapped, hexadecimal", ["::ffff:7f00:1"]],
  ["private", ["10.0.0.1"]],
  ["link-local", ["169.254.169.254"]],
  ["link-local of IPv6", ["fe80::1"]],
  ["unique local", ["fd00:ec2::254"]],
  ["unspecified", ["0.0.0.0"]],
  ["NAT64", ["64:ff9b::7f00:1"]],
  ["one inner address among public ones", ["93.184.215.14", "127.0.0.1"]],
  ["nothing", []],
];

test.each(names)("a name that resolves to %s gets no connection", async (_, addresses) => {
  const resolve: Resolve = () => Promise.resolve(addresses);
  const url = `http://hooks.example:${port}/`;
  expect(await send({ url, secrets, resolve }, message)).toMatchObject({ isDelivered: false });
  expect(connections).toBe(0);
});

test("the attempt reports a name of the internal network in the same words as an unknown name", async () => {
  const problemWith = async (resolve: Resolve) =>
    (await send({ url: `http://hooks.example:${port}/`, secrets, resolve }, message)).problem;
  const unknown = await problemWith(() => Promise.reject(new Error("The name has no address.")));
  expect(await problemWith(() => Promise.resolve(["10.0.0.1"]))).toBe(unknown);
  expect(await problemWith(() => Promise.resolve([]))).toBe(unknown);
});

test("a name that resolves differently after the check gets no connection: the checked address is the one connected to", async () => {
  let asked = 0;
  // Public for the first lookup, this machine afterwards. No host responds in the range of the public address.
  const resolve: Resolve = () => {
    asked += 1;
    return Promise.resolve(asked === 1 ? ["11.255.255.254"] : ["127.0.0.1"]);
  };
  const url = `http://rebinding.example:${port}/`;
  const [first, second] = await Promise.all([
    send({ url, secrets, resolve }, message),
    send({ url, secrets, resolve }, message),
  ]);
  expect([first.isDelivered, second.isDelivered]).toEqual([false, false]);
  expect(asked).toBe(2);
  expect(connections).toBe(0);
});

test.each([
  ["ftp://hooks.example/"],
  ["file:///etc/passwd"],
  ["gopher://127.0.0.1/"],
  ["http://user:secret@hooks.example/"],
  ["http://127.0.0.1@hooks.example/"],
  ["https://hooks.example/#part"],
  ["//hooks.example/"],
  ["hooks.example"],
  [`https://hooks.example/${"x".repeat(2048)}`],
  [`https://hooks.example/${"é".repeat(1000)}`],
  [`https://${"ü.".repeat(700)}example/`],
  ["https://hooks.example:0/"],
  ["https://hooks.exam\nple/"],
  ["https://hooks.example/\r\n"],
  ["https://hooks\t.example/"],
  ["https://localhost/"],
  ["https://LOCALHOST./"],
  ["https://hooks.localhost/"],
  ["https://localhost:8443/hook"],
])("%s is no URL of a webhook", (url) => {
  expect(urlProblem(url)).toBeDefined();
});

test("localhost is accepted where WEBHOOK_NETWORKS includes it", () => {
  vi.stubEnv("WEBHOOK_NETWORKS", "127.0.0.0/8");
  expect(urlProblem("https://localhost/hook")).toBeUndefined();
  expect(urlProblem("https://hooks.localhost/hook")).toBeUndefined();
  vi.unstubAllEnvs();
});

test("public addresses and names are accepted", () => {
  for (const host of ["hooks.example", "93.184.215.14", "[2606:2800:21f:cb07::1]", "8.8.8.8"])
    expect(urlProblem(`https://${host}/hook`), host).toBeUndefined();
  expect(isAllowedAddress("::ffff:8.8.8.8")).toBe(true);
});
