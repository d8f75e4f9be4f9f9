import { expect, test } from "vitest";
import type { LastUse } from "@/lib/catalogue/access-contract";
import { rightsOf, unusedRights } from "./rights-used-dialog";

const from = "2026-08-25T00:00:00.000Z";
const november = "2026-11-20T00:00:00.000Z";
const use: LastUse = {
  ...{ from, since: from, isComplete: true, grants: [], uncounted: ["order.manage"] },
  uses: [
    {
      ...{ permission: "user.read", site: null, lastUsedAt: november },
      includedIn: ["user.read", "user.manage"],
    },
  ],
};
const apiKey = {
  createdAt: "2026-05-01T00:00:00.000Z",
  permissions: ["user.manage", "audit.read", "order.manage"],
};

test("a permission is used through those that it includes; permissions of other services are not counted", () => {
  expect(rightsOf(apiKey, use)).toEqual([
    { permission: "audit.read", lastUsedAt: undefined, isCounted: true },
    { permission: "order.manage", lastUsedAt: undefined, isCounted: false },
    { permission: "user.manage", lastUsedAt: november, isCounted: true },
  ]);
  expect(rightsOf({ permissions: null }, use).map(({ permission }) => permission)).toEqual([
    "user.read",
  ]);
});

test("a right is unused only when all 90 days were counted and the key is older", () => {
  expect(unusedRights(apiKey, use)).toEqual(["audit.read"]);
  expect(unusedRights(apiKey, { ...use, since: november })).toEqual([]);
  expect(unusedRights(apiKey, { ...use, isComplete: false })).toEqual([]);
  expect(unusedRights({ ...apiKey, createdAt: november }, use)).toEqual([]);
  expect(unusedRights({ ...apiKey, permissions: null }, use)).toEqual([]);
});
