import { describe, expect, test } from "vitest";
import { listRoles } from "@/lib/features/users/service";
import type { RoleFacts } from "./access-changes";
import { effectAt, effectiveLine, matchingRoles, wishesToMatch } from "./access-effect";

const facts: RoleFacts[] = listRoles();
const roleOf = (id: string) => facts.find((role) => role.id === id) as RoleFacts;
const pim = roleOf("portal.pim.mgmt");
const catalog = roleOf("portal.catalog.mgmt");
const roles = (roleIds: string[], sites: Record<string, string[]> = {}) => ({
  roleIds,
  sites: Object.fromEntries(Object.entries(sites).map(([id, ids]) => [id, { roleIds: ids }])),
});

test("every role has one line of meaning", () => {
  for (const { id, meaning } of facts) {
    expect(meaning, id).toMatch(/^[A-Z].*\.$/);
    expect(meaning.length, id).toBeLessThanOrEqual(100);
  }
});

describe("the effect of a role for a user", () => {
  test.each([
    ["granted at the place", roles([], { eu: [pim.id] }), { kind: "granted" }],
    ["inherited from the whole tenant", roles([pim.id]), { kind: "inherited" }],
    [
      "covered by the administrator",
      roles(["tenant.admin"]),
      { kind: "covered", by: "tenant.admin" },
    ],
    ["nothing of it at another site", roles([], { us: [pim.id] }), { kind: "none" }],
  ])("%s", (_words, held, expected) => {
    expect(effectAt(held, "eu", pim, facts)).toEqual(expected);
  });

  test("a role is covered by another one that includes all of it, and not vice versa", () => {
    const covered = { kind: "covered", by: pim.id };
    expect(effectAt(roles([], { eu: [pim.id] }), "eu", catalog, facts)).toEqual(covered);
    expect(effectAt(roles([], { eu: [catalog.id] }), "eu", pim, facts)).toEqual({ kind: "none" });
  });

  test("one line names the places and the roles", () => {
    const held = roles([], { eu: [pim.id], us: ["tenant.admin"] });
    const [eu, us] = [
      { id: "eu", name: "EU Store" },
      { id: "us", name: "us" },
    ];
    expect(effectiveLine(held, [eu, us], catalog, facts)).toBe(
      `EU Store: by ${pim.name}, us: by Tenant Administrator`,
    );
    expect(effectiveLine(roles([pim.id]), [eu], pim, facts)).toBe("Whole tenant: granted");
    expect(effectiveLine(roles([]), [eu], pim, facts)).toBeUndefined();
  });
});

test("roles are found by description and permissions, and limited to granted or ticked ones", () => {
  const edit = { base: roles([pim.id]), wishes: { " portal.qa.mgmt": true }, facts };
  const ids = (search: string, isGrantedOnly = false) =>
    matchingRoles(edit, { search, isGrantedOnly }).map(({ id }) => id);
  expect(ids("audit trail")).toEqual(["portal.users.mgmt"]);
  expect(ids("api-metric.export")).toContain("portal.analytics.mgmt");
  expect(ids("", true)).toEqual(["portal.qa.mgmt", pim.id]);
});

test("another user's roles are copied except those that the user may not grant", () => {
  const base = roles([catalog.id]);
  const other = roles([pim.id, "tenant.admin"], { eu: ["portal.qa.mgmt"] });
  const places = ["", "eu"];
  const mayChange = (_place: string, id: string) => id !== "tenant.admin";
  expect(wishesToMatch(base, other, { places, facts, mayChange })).toEqual({
    wishes: { [` ${pim.id}`]: true, [` ${catalog.id}`]: false, "eu portal.qa.mgmt": true },
    skipped: 1,
  });
});
