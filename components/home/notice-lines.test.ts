import { expect, test } from "vitest";
import type { Notice } from "@/lib/features/notices/contract";
import { noticeLines, type TenantFacts } from "./notice-lines";
import type { OwnFacts } from "./own-key-lines";

const nothing: TenantFacts = {
  leaked: [],
  asked: [],
  firing: [],
  expiring: [],
  keysOfLocked: 0,
  lockedUsers: 0,
  webhooks: [],
  quotas: [],
};

const linesOf = (facts: Partial<TenantFacts>, own: Partial<OwnFacts> = {}) =>
  noticeLines("acme", { ...nothing, ...facts }, { keys: [], happened: [], ...own });
const texts = (...given: Parameters<typeof linesOf>) => linesOf(...given).map(({ text }) => text);

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const key = (given: Partial<OwnFacts["keys"][number]> = {}): OwnFacts["keys"][number] => ({
  ...{ name: "ci-eu", status: "active", validTo: inDays(5) },
  ...{ rotationRequired: false, handedOver: false, ...given },
});
const notice = (given: Partial<Notice> = {}): Notice => ({
  ...{ id: "aud_1", occurredAt: "2026-11-20T10:00:00Z", kind: "roles-changed" },
  ...{ action: "user.roles-changed", byOneself: false, fields: [] },
  by: { type: "user", id: "usr_1", login: "adm" },
  ...given,
});
const webhook = { status: "enabled", disabledReason: null, failingSince: null } as const;

test("a tenant where all is well has no notice", () => {
  expect(texts({ quotas: [{ quota: "users", used: 1, limit: 100 }] })).toEqual([]);
});

test("41 expiring keys, 300 failing webhooks and 30 changes of a kind are a line each, with the first date", () => {
  const since = "2026-11-22T00:00:00Z";
  const found = linesOf(
    { webhooks: Array.from({ length: 300 }, () => ({ ...webhook, failingSince: since })) },
    {
      keys: Array.from({ length: 41 }, (_, n) =>
        key({ name: `w${n}`, validTo: inDays(13 - n / 4) }),
      ),
      happened: Array.from({ length: 30 }, (_, n) => notice({ id: `aud_${n}` })),
    },
  );
  expect(found.map(({ text }) => text)).toEqual([
    "41 of your keys expire within 14 days, the first {when}.",
    "Your roles were changed, 30 times, by adm, the first {when}",
    "Deliveries to 20 or more webhooks fail. The first {when}.",
  ]);
  expect(Date.parse(found[0]?.first ?? "")).toBeLessThan(Date.parse(inDays(4)));
  expect(found[2]?.first).toBe(since);
});

test("one of a kind is named", () => {
  expect(texts({}, { keys: [key()] })[0]).toContain('Your key "ci-eu" expires {when}.');
  expect(
    texts({}, { happened: [notice({ kind: "api-key-suspended", subject: "ci-eu" })] }),
  ).toEqual(["API key suspended: ci-eu, by adm, {when}"]);
});

test("own actions are no notices, except a sign-in from a new network", () => {
  const own = { byOneself: true, address: "192.0.2.1" };
  const happened = [
    notice({ ...own, kind: "api-key-created", subject: "ci-eu" }),
    notice({ ...own, id: "aud_2", kind: "password-changed" }),
    notice({ ...own, id: "aud_3", kind: "new-network" }),
  ];
  expect(linesOf({}, { happened }).map(({ kind }) => kind)).toEqual(["new-network"]);
});

test("a line is dismissed with all its notices; one with an action is not", () => {
  const happened = [notice(), notice({ id: "aud_2" })];
  const [mine, alerts] = linesOf(
    { firing: [{ id: "alr_a", name: "a" }] },
    { happened },
  ).toReversed();
  expect(mine?.notices.map(({ id }) => id)).toEqual(["aud_1", "aud_2"]);
  expect(alerts?.notices).toEqual([]);
});

test.each([
  ["enabled, delivering", webhook, 0],
  ["enabled, failing", { ...webhook, failingSince: "2026-11-22T00:00:00Z" }, 1],
  ["disabled because it failed", { ...webhook, status: "disabled", disabledReason: "failing" }, 1],
  ["disabled by a person", { ...webhook, status: "disabled", disabledReason: "by-user" }, 0],
] as const)("a webhook that is %s", (_, given, count) => {
  expect(texts({ webhooks: [given] })).toHaveLength(count);
});

test("limits that are almost reached are one line, with their shares", () => {
  const quotas = [
    { quota: "sites", used: 19, limit: 20 },
    { quota: "users", used: 100, limit: 100 },
  ] as const;
  expect(texts({ quotas: [...quotas] })).toEqual([
    "Limits that are nearly used up: Sites 95 %, Users 100 %",
  ]);
});

test("every line of the tenant links to its page, leaks and alerts first", () => {
  const owner = {
    id: "usr_b",
    login: "bob",
    name: "Bob",
    kind: "person",
    state: "active",
  } as const;
  const all = linesOf(
    {
      leaked: [{ name: "ci", owner: { ...owner, lock: false } }],
      firing: [{ id: "alr_a", name: "a" }],
      expiring: [{ validTo: inDays(3) }],
      keysOfLocked: 1,
      lockedUsers: 1,
      webhooks: [{ ...webhook, status: "disabled", disabledReason: "gone" }],
      quotas: [{ quota: "sites", used: 20, limit: 20 }],
    },
    { keys: [key({ status: "suspended", rotationRequired: true }), key()] },
  );
  expect(all.map(({ action }) => action?.href)).toEqual([
    "/t/acme/me#api-keys",
    "/t/acme/users/usr_b/api-keys",
    "/t/acme/alerts/alr_a",
    "/t/acme/me?show=expiring#api-keys",
    "/t/acme/webhooks",
    "/t/acme/keys?show=expiring",
    "/t/acme/keys?show=locked",
    "/t/acme/users?lock=true",
    "/t/acme/settings#quotas",
  ]);
});
