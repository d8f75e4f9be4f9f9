import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fullProfile } from "@/lib/features/customers/testing/full-profile";
import { bearer, openShop, type Pair, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";

const send = testServer();
let shop: Shop;
let login: string;
let pair: Pair;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
});
beforeEach(async () => {
  ({ login } = await shop.customer());
  pair = await shop.enter(login);
});

const headers = (more: Record<string, string> = {}) => ({
  ...shop.headers,
  ...bearer(pair.accessToken),
  ...more,
});
const patch = (body: unknown, more: Record<string, string> = {}) =>
  send("PATCH /v1/customer/profile", { headers: headers(more), body });
const read = (more: Record<string, string> = {}) =>
  send("GET /v1/customer/profile", { headers: headers(more) });

describe("400", () => {
  test.each([
    ["a day that does not exist", { birthDate: "1991-02-29" }, "/birthDate"],
    ["a day to come", { birthDate: "2999-01-01" }, "/birthDate"],
    [
      "a whole card number",
      { creditCards: { cards: [{ cardNumber: "4242424242424242" }] } },
      "/creditCards/cards/0/cardNumber",
    ],
    [
      "a card number in the token",
      { creditCards: { cards: [{ token: "4242 4242 4242 4242" }] } },
      "/creditCards/cards/0/token",
    ],
    [
      "a card number in the label",
      { creditCards: { cards: [{ label: "4242-4242-4242-4242" }] } },
      "/creditCards/cards/0/label",
    ],
    [
      "month 13",
      { creditCards: { cards: [{ expirationMonth: "13" }] } },
      "/creditCards/cards/0/expirationMonth",
    ],
    ["two letters of gender", { gender: "ff" }, "/gender"],
    ["an id that is no UUID", { defaultLocationId: "here" }, "/defaultLocationId"],
    [
      "an address without @",
      { emailAddresses: { addresses: [{ address: "ann" }] } },
      "/emailAddresses/addresses/0/address",
    ],
    [
      "an e-mail address left out",
      { emailAddresses: { addresses: [{ label: "x" }] } },
      "/emailAddresses/addresses/0/address",
    ],
    ["null in a list", { addresses: { addresses: [null] } }, "/addresses/addresses/0"],
    ["a member that nobody knows", { name: { nick: "A" } }, "/name/nick"],
    ["an unknown member to remove", { nick: null }, "/nick"],
    [
      "text where a truth value belongs",
      { addresses: { addresses: [{ poBox: "no" }] } },
      "/addresses/addresses/0/poBox",
    ],
    ["a control character", { name: { first: "A\u0007" } }, "/name/first"],
    [
      "a default that is not in its list",
      { addresses: { defaultBilling: { city: "Bonn" } } },
      "/addresses/defaultBilling",
    ],
    ["what is read-only", { id: "cust_1", siteIds: ["two"] }, "/id,/siteIds"],
    ["a list", [], ""],
  ])("%s", async (_, body, pointer) => {
    const answer = await patch(body);
    expect([answer.status, answer.body.code, answer.body.reason], answer.text).toEqual([
      400,
      "request.validation-failed",
      pointer,
    ]);
    expect((await read()).body.creditCards.cards).toEqual([]);
  });

  test("a list cannot be emptied while a default refers to it", async () => {
    await patch(fullProfile);
    const answer = await patch({ addresses: { addresses: [] } });
    expect([answer.status, answer.body.reason]).toEqual([
      400,
      "/addresses/defaultBilling,/addresses/defaultShipping",
    ]);
  });
});

test("412: If-Match with another ETag, for a change and for the deletion", async () => {
  const etag = (await read()).headers.get("etag") ?? "";
  await patch({ gender: "x" }, { "If-Match": etag });
  const late = await patch({ gender: "y" }, { "If-Match": etag });
  expect([late.status, late.body.code]).toEqual([412, "precondition.failed"]);
  const gone = await send("DELETE /v1/customer/profile", {
    headers: headers({ "If-Match": etag }),
  });
  expect(gone.status).toBe(412);
  expect((await read()).body.gender).toBe("x");
});
