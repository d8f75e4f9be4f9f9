import { expect, test } from "vitest";
import { accessChanges, breakingKeys, cellOf, openWishes, withWishes } from "./access-changes";

const facts = [
  {
    id: "pim",
    name: "Content",
    group: "Content",
    meaning: "",
    permissions: ["preview.read", "preview.write"],
    reserved: false,
  },
  {
    id: "qa",
    name: "Quality",
    group: "Insight",
    meaning: "",
    permissions: ["preview.read"],
    reserved: false,
  },
  {
    id: "cart",
    name: "Carts",
    group: "Commerce",
    meaning: "",
    permissions: ["cart.manage"],
    reserved: true,
  },
  { id: "default", name: "Access", group: "Base", meaning: "", permissions: [], reserved: false },
];
const operations = [
  { operation: "GET /preview", permission: "preview.read" },
  { operation: "PUT /preview", permission: "preview.write" },
];
const base = { roleIds: ["qa"], sites: { eu: { roleIds: ["pim"] } } };

test("a change that is already stored is dropped, and an emptied site is removed", () => {
  const wishes = {
    [cellOf("", "qa")]: true,
    [cellOf("eu", "pim")]: false,
    [cellOf("us", "pim")]: true,
  };
  expect(openWishes(base, wishes)).toEqual([
    { place: "eu", roleId: "pim", wanted: false },
    { place: "us", roleId: "pim", wanted: true },
  ]);
  expect(withWishes(base, wishes)).toEqual({
    roleIds: ["qa"],
    sites: { us: { roleIds: ["pim"] } },
  });
  expect(base.sites.eu.roleIds, "the current roles are unchanged").toEqual(["pim"]);
});

test("the texts name permissions gained and lost, except those that other roles include", () => {
  const wishes = {
    [cellOf("us", "pim")]: true,
    [cellOf("", "qa")]: false,
    [cellOf("", "cart")]: true,
    [cellOf("us", "default")]: true,
  };
  expect(
    accessChanges({ base, wishes, facts, operations }).map(
      ({ sign, role, where, effect }) => `${sign} ${role} ${where}: ${effect}`,
    ),
  ).toEqual([
    "+ Content at us: may now call PUT /preview",
    "− Quality in the whole tenant: can no longer call GET /preview",
    "+ Carts in the whole tenant: may now call cart.manage in the platform's other services",
    "+ Access at us: sign-in and own account",
  ]);
  const same = accessChanges({
    base: { roleIds: ["pim"], sites: {} },
    wishes: { [cellOf("", "qa")]: true },
    facts,
    operations,
  });
  expect(same[0]?.effect).toBe("no difference: other roles grant the same");
});

test("a key breaks when its last call needs a permission that is lost everywhere", () => {
  const keys = [
    { name: "writer", lastUsedOperation: "PUT /preview" },
    { name: "reader", lastUsedOperation: "GET /preview" },
    { name: "unused", lastUsedOperation: null },
  ];
  const broken = breakingKeys(
    { base, wishes: { [cellOf("eu", "pim")]: false }, facts, operations },
    keys,
  );
  expect(broken.map(({ name }) => name)).toEqual(["writer"]);
});

test("a new end is a change, and unchanged ends are not mentioned", () => {
  const [soon, later] = ["2026-12-01T10:00:00.000Z", "2026-12-02T10:00:00.000Z"];
  const timed = { ...base, expiresAt: { qa: soon } };
  expect(openWishes(timed, { [cellOf("", "qa")]: soon })).toEqual([]);
  expect(withWishes(timed, { [cellOf("us", "pim")]: later })).toEqual({
    roleIds: ["qa"],
    sites: { ...base.sites, us: { roleIds: ["pim"], expiresAt: { pim: later } } },
  });
  expect(withWishes(timed, { [cellOf("", "qa")]: true })).toEqual({
    ...base,
    expiresAt: { qa: null },
  });
  const edit = { base: timed, wishes: { [cellOf("", "qa")]: later }, facts, operations };
  expect(accessChanges(edit)).toMatchObject([{ sign: "+", effect: "another end" }]);
});
