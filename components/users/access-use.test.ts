import { describe, expect, test } from "vitest";
import type { LastUse } from "@/lib/catalogue/access-contract";
import { cellOf } from "./access-changes";
import { roleUse, unusedRoles } from "./access-use";

const role = (id: string, ...permissions: string[]) => ({
  ...{ id, name: id, group: "Content", meaning: "", permissions, reserved: false },
});
const pim = role("pim", "preview.configuration.read", "preview.configuration.write");
const orders = role("orders", "order.manage");
const all = role("all", "user.read", "order.manage");
const base = role("default");
const facts = [pim, orders, all, base];
const from = "2026-08-25T00:00:00.000Z";
const known: LastUse = {
  ...{ from, since: from, isComplete: true, uses: [], grants: [] },
  uncounted: ["order.manage"],
};
const used = (lastUsedAt: string, site: string | null = null): LastUse => ({
  ...known,
  uses: [{ permission: "preview.configuration.read", site, lastUsedAt, includedIn: [] }],
});
const november = "2026-11-20T00:00:00.000Z";
const may = "2026-05-01T00:00:00.000Z";

describe("the use of a role", () => {
  test("a call of any of its permissions, at the site for a role there", () => {
    expect(roleUse(used(november, "eu"), pim, "")).toEqual({ kind: "used", at: november });
    expect(roleUse(used(november, "eu"), pim, "eu")).toEqual({ kind: "used", at: november });
    expect(roleUse(used(november, "eu"), pim, "us")).toEqual({ kind: "none", since: from });
  });

  test("missing data is reported as missing", () => {
    expect(roleUse({ ...known, since: null }, pim, "").kind).toBe("unknown");
    expect(roleUse({ ...known, isComplete: false }, pim, "").kind).toBe("unknown");
    expect(roleUse({ ...known, since: november }, pim, "")).toEqual({
      kind: "none",
      since: november,
    });
    expect(roleUse(known, orders, "").kind).toBe("uncounted");
    expect(roleUse(known, base, "").kind).toBe("base");
    const grants = [{ role: "pim", site: "eu", at: november }];
    expect(roleUse({ ...known, grants }, pim, "eu")).toEqual({ kind: "granted", at: november });
  });
});

describe("the roles suggested for removal", () => {
  const roles = {
    roleIds: ["pim", "orders", "all", "default"],
    sites: { eu: { roleIds: ["pim"] } },
  };
  const suggested = (use: LastUse, registeredAt = may, wishes = {}) =>
    unusedRoles({ base: roles, wishes, facts }, use, registeredAt).map(({ role, place }) =>
      cellOf(place, role.id),
    );

  test("roles without a call in 90 days, or with older calls only", () => {
    expect(suggested(known)).toEqual([" pim", "eu pim"]);
    expect(suggested(used(may))).toEqual([" pim", "eu pim"]);
    expect(suggested(used(november))).toEqual(["eu pim"]);
  });

  test("none while the counted period is shorter, data is incomplete, or the user is newer", () => {
    expect(suggested({ ...known, since: november })).toEqual([]);
    expect(suggested({ ...known, isComplete: false })).toEqual([]);
    expect(suggested(known, november)).toEqual([]);
  });

  test("no role granted since then, partly checked by other services, or already unticked", () => {
    const grants = [{ role: "pim", site: null, at: november }];
    expect(suggested({ ...known, grants })).toEqual(["eu pim"]);
    expect(roleUse(known, all, "").kind).toBe("none");
    expect(suggested(known, may, { [cellOf("", "pim")]: false })).toEqual(["eu pim"]);
  });
});
