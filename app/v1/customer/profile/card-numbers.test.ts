import { beforeAll, describe, expect, test, vi } from "vitest";
import { parseLine } from "@/lib/features/customers/imports/line";
import { bearer, openShop, password, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { cardNumberProblems, holdsCardNumber } from "@/lib/protocol/documents/customer-profile";

const send = testServer();
let shop: Shop;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
});

const held = [
  "4242424242424242",
  "Visa 4242 4242 4242 4242",
  "My card 4242424242424242",
  "card:4242424242424242",
  "4242–4242–4242–4242",
  "VISA 4242-4242-4242-4242",
  "4242 4242 4242 4242 12/27",
  "12/27, 4242.4242.4242.4242",
  "４２４２ ４２４２ ４２４２ ４２４２",
  "٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢",
  "𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐",
  "3782 822463 10005",
];
const free = ["4242", "Visa 4242 4242 4242 4243", "12 Main Street, Apt 345, 67890", "DE89 3704"];

test.each(held)("a card number is detected in %s", (text) => {
  expect(holdsCardNumber(text)).toBe(true);
});
test.each(free)("none is seen in %s", (text) => {
  expect(holdsCardNumber(text)).toBe(false);
});

test("a text that consists of digits is scanned once, however they are grouped", () => {
  holdsCardNumber("𝟗".repeat(12));
  const asked = vi.spyOn(RegExp.prototype, "test");
  expect(holdsCardNumber("𝟗 ".repeat(85))).toBe(false);
  expect(asked.mock.calls.length).toBeLessThanOrEqual(2);
  asked.mockRestore();
});

test("rejects a login or an address that is a card number, but not one that contains digits", () => {
  const problems = (login: string) => cardNumberProblems({ login }).map(({ pointer }) => pointer);
  for (const login of ["4242424242424242", "4242-4242-4242-4242@example.com"])
    expect(problems(login), login).toEqual(["/login"]);
  // Each of these has a run of 12 or more digits that passes the Luhn check.
  for (const login of [
    "order-4242424242424242",
    "imported-8f4242424242-0@example.com",
    "123456789015",
  ])
    expect(problems(login), login).toEqual([]);
});

const number = "Visa 4242 4242 4242 4242";
const card = (member: string) => ({ creditCards: { cards: [{ [member]: number }] } });
const profiles: [string, unknown][] = [
  ["/creditCards/cards/0/label", card("label")],
  ["/creditCards/cards/0/cardType", card("cardType")],
  ["/name/first", { name: { first: number } }],
  ["/addresses/addresses/0/label", { addresses: { addresses: [{ label: number }] } }],
  [
    "/emailAddresses/addresses/0/label",
    { emailAddresses: { addresses: [{ address: "a@example.com", label: number }] } },
  ],
];

describe.each(profiles)("400 for a card number in %s", (pointer, profile) => {
  const rejected = { status: 400, reason: pointer };
  const outcome = ({ status, body }: Awaited<ReturnType<typeof send>>) => ({
    status,
    reason: body.reason,
  });

  test("of the own profile", async () => {
    const { login } = await shop.customer();
    const { accessToken } = await shop.enter(login);
    const headers = { ...shop.headers, ...bearer(accessToken) };
    const answer = await send("PATCH /v1/customer/profile", { headers, body: profile });
    expect(outcome(answer)).toEqual(rejected);
  });

  test("in a line of an import", () => {
    const rules = { siteId: "one", siteIds: new Set(["one"]), now: new Date(), maxHashCost: 4 };
    const bytes = Buffer.from(JSON.stringify({ login: "ann", ...Object(profile) }));
    expect(parseLine({ line: 1, bytes }, rules)).toMatchObject({ pointer });
  });
});

test("400 for a card number in a registration", async () => {
  const headers = { ...shop.headers, ...bearer(await shop.anonymous()) };
  const body = { login: "ann", password, name: { last: number } };
  const answer = await send("POST /v1/customer/registration", { headers, body });
  expect([answer.status, answer.body.reason]).toEqual([400, "/name/last"]);
  const named = await send("POST /v1/customer/registration", {
    headers,
    body: { login: "4242 4242 4242 4242", password },
  });
  expect([named.status, named.body.reason]).toEqual([400, "/login"]);
});

test("200 for a telephone number and a token with the same number of digits", async () => {
  const { login } = await shop.customer();
  const { accessToken } = await shop.enter(login);
  const answer = await send("PATCH /v1/customer/profile", {
    headers: { ...shop.headers, ...bearer(accessToken) },
    body: {
      addresses: { addresses: [{ phoneNumber: "4242424242424242" }] },
      creditCards: { cards: [{ token: "tok_4242424242424242" }] },
    },
  });
  expect(answer.status, answer.text).toBe(200);
});
