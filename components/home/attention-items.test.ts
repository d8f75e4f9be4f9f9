import { expect, test } from "vitest";
import { type AttentionFacts, attentionItems } from "./attention-items";

const nothing: AttentionFacts = {
  firing: [],
  expiringKeys: 0,
  keysOfLocked: 0,
  lockedUsers: 0,
  webhooks: [],
  quotas: [],
};

const texts = (facts: Partial<AttentionFacts>) =>
  attentionItems("acme", { ...nothing, ...facts }).map(({ text }) => text);

test("a tenant where all is well has nothing that needs attention", () => {
  expect(texts({ quotas: [{ quota: "users", used: 1, limit: 100 }] })).toEqual([]);
});

test("counts are in the singular or plural, and from 20 on a minimum", () => {
  expect(texts({ expiringKeys: 1 })).toEqual(["1 API key expires within 14 days."]);
  expect(texts({ expiringKeys: 2 })).toEqual(["2 API keys expire within 14 days."]);
  expect(texts({ lockedUsers: 20 })).toEqual(["20 or more users are locked."]);
});

test.each([
  ["enabled, delivering", { status: "enabled", disabledReason: null, failingSince: null }, 0],
  [
    "enabled, failing",
    { status: "enabled", disabledReason: null, failingSince: "2026-11-22T00:00:00Z" },
    1,
  ],
  [
    "disabled because it failed",
    { status: "disabled", disabledReason: "failing", failingSince: null },
    1,
  ],
  [
    "disabled by a person",
    { status: "disabled", disabledReason: "by-user", failingSince: null },
    0,
  ],
] as const)("a webhook that is %s", (_, webhook, count) => {
  expect(texts({ webhooks: [webhook] })).toHaveLength(count);
});

test("a quota near its end is named with its share", () => {
  expect(texts({ quotas: [{ quota: "sites", used: 19, limit: 20 }] })).toEqual([
    "Sites: 95 % of the limit is used.",
  ]);
});

test("every item leads to the page that shows it", () => {
  const all = attentionItems("acme", {
    firing: [{ id: "alr_a", name: "a" }],
    expiringKeys: 1,
    keysOfLocked: 1,
    lockedUsers: 1,
    webhooks: [{ status: "disabled", disabledReason: "gone", failingSince: null }],
    quotas: [{ quota: "sites", used: 20, limit: 20 }],
  });
  expect(all.map(({ href }) => href)).toEqual([
    "/t/acme/alerts/alr_a",
    "/t/acme/webhooks",
    "/t/acme/keys?show=expiring",
    "/t/acme/keys?show=locked",
    "/t/acme/users?lock=true",
    "/t/acme/settings#quotas",
  ]);
});

test("firing alerts come first: three by name, the others counted", () => {
  const firing = ["a", "b", "c", "d"].map((name) => ({ id: `alr_${name}`, name }));
  expect(texts({ firing: firing.slice(0, 1), expiringKeys: 1 })).toEqual([
    'Alert "a" is firing.',
    "1 API key expires within 14 days.",
  ]);
  expect(texts({ firing }).at(-1)).toBe("1 more alert is firing.");
  const [first] = attentionItems("acme", { ...nothing, firing });
  expect(first?.href).toBe("/t/acme/alerts/alr_a");
});
