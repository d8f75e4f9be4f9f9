import { expect, test } from "vitest";
import { hygieneOf, keyGroups } from "./hygiene";

const now = Date.parse("2026-11-21T12:00:00Z");
const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString();
const owner = {
  id: "user_x",
  login: "x",
  name: "X",
  kind: "person" as const,
  state: "active" as const,
  lock: false,
};
const key = {
  status: "active" as const,
  validTo: inDays(100),
  createdAt: inDays(-120),
  lastUsedAt: inDays(-1) as string | null,
  owner,
};

test.each([
  ["nothing for a key in use", {}, []],
  ["its end within 14 days", { validTo: inDays(13) }, ["expiring"]],
  ["that nobody used it yet", { lastUsedAt: null }, ["never used"]],
  [
    "nothing of a key that was created within a week and waits for its first call",
    { lastUsedAt: null, createdAt: inDays(-6) },
    [],
  ],
  ["90 days without use", { lastUsedAt: inDays(-91) }, ["idle 90 days"]],
  ["a locked owner", { owner: { ...owner, lock: true } }, ["owner locked"]],
  [
    "a deactivated owner",
    { owner: { ...owner, state: "deactivated" as const } },
    ["owner deactivated"],
  ],
  [
    "nothing for a key that is rejected anyway",
    { status: "revoked" as const, lastUsedAt: null },
    [],
  ],
])("hygiene suggests %s", (_, change, words) =>
  expect(hygieneOf({ ...key, ...change }, now)).toEqual(words),
);

test("a key is listed in every matching group", () => {
  const groupsOf = (change: object) =>
    Object.entries(keyGroups).flatMap(([name, has]) =>
      has({ ...key, ...change }, now) ? [name] : [],
    );
  expect(groupsOf({})).toEqual(["active"]);
  expect(groupsOf({ validTo: inDays(3), lastUsedAt: null })).toEqual([
    "expiring",
    "active",
    "unused",
  ]);
  expect(groupsOf({ status: "expired" })).toEqual(["ended"]);
  expect(groupsOf({ status: "suspended" })).toEqual([]);
});
