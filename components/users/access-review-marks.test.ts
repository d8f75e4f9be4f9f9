import { expect, test } from "vitest";
import type { User } from "@/lib/features/users/contract";
import { grantsOf, removalsOf } from "./access-review-marks";

const person = (id: string): User => ({
  ...{ id, login: id, name: id, tenant: "acme", emailAddress: "", registrationDate: "" },
  ...{ lock: false, system: false },
  userRoles: {
    acme: { roleIds: ["portal.qa.mgmt"], sites: { eu: { roleIds: ["portal.pim.mgmt"] } } },
  },
});

test("a person has one grant for each role at each place, and none in another tenant", () => {
  const keys = grantsOf(person("ada"), "acme").map(({ key }) => key);
  expect(keys).toEqual(["ada  portal.qa.mgmt", "ada eu portal.pim.mgmt"]);
  expect(grantsOf(person("ada"), "other")).toEqual([]);
});

test("removals are one change for each person, of the marked and shown roles", () => {
  const grants = [...grantsOf(person("ada"), "acme"), ...grantsOf(person("bob"), "acme")];
  const marks = {
    "ada  portal.qa.mgmt": "remove",
    "ada eu portal.pim.mgmt": "remove",
    "bob  portal.qa.mgmt": "keep",
    "eve  portal.qa.mgmt": "remove",
  } as const;
  const found = removalsOf(marks, grants);
  expect(found.map(({ user, wishes }) => [user.id, wishes])).toEqual([
    ["ada", { " portal.qa.mgmt": false, "eu portal.pim.mgmt": false }],
  ]);
});
