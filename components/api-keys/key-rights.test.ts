import { describe, expect, test } from "vitest";
import {
  type CallableOperation,
  isPreset,
  keyPresets,
  permissionChoices,
  whyNot,
} from "./key-rights";

const operation = (name: string, given: Partial<CallableOperation> = {}): CallableOperation => ({
  operation: name,
  allowed: true,
  includedIn: given.permission ? [given.permission] : [],
  isTenantWide: false,
  mustBeNamed: false,
  forProgramsOnly: false,
  ...given,
});
const profile = operation("GET /v1/user/profile");
const list = operation("GET /v1/user/list", {
  permission: "user.read",
  includedIn: ["user.read", "user.manage"],
});
const read = operation("GET /pim/preview", {
  permission: "preview.configuration.read",
  includedIn: ["preview.configuration.read", "preview.configuration.write"],
});
const metrics = operation("GET /v1/api-metrics", {
  permission: "api-metric.read",
  isTenantWide: true,
});
const lock = operation("POST /v1/user/{id}/lock", {
  permission: "user.manage",
  mustBeNamed: true,
  forProgramsOnly: true,
});
const webhooks = operation("GET /v1/webhooks", { permission: "webhook.manage", mustBeNamed: true });
const orders = operation("GET /orders", { permission: "order.manage", allowed: false });

describe("the operations that a key with these limits can call", () => {
  test.each([
    ["without limits what the roles allow", list, { permissions: [], sites: [] }, undefined],
    [
      "nothing that the roles do not allow",
      orders,
      { permissions: [], sites: [] },
      "needs order.manage",
    ],
    ["what its list includes", list, { permissions: ["user.manage"], sites: [] }, undefined],
    [
      "nothing that its list does not include",
      list,
      { permissions: ["api-metric.read"], sites: [] },
      "tick user.read",
    ],
    [
      "what needs no permission, whatever is ticked",
      profile,
      { permissions: ["api-metric.read"], sites: [] },
      undefined,
    ],
    [
      "what must be named only where it is",
      webhooks,
      { permissions: [], sites: [] },
      "tick webhook.manage",
    ],
    [
      "what must be named and is",
      webhooks,
      { permissions: ["webhook.manage"], sites: [] },
      undefined,
    ],
    [
      "nothing of the whole tenant with sites",
      metrics,
      { permissions: [], sites: ["eu"] },
      "needs a key of all sites",
    ],
    [
      "nothing for programs",
      lock,
      { permissions: ["user.manage"], sites: [] },
      "needs a key of a service user",
    ],
  ])("%s", (_words, one, limits, expected) => {
    expect(whyNot(one, limits)).toBe(expected);
  });
});

test("only permissions that let this user's key call something are offered", () => {
  expect(permissionChoices([profile, list, read, lock, orders])).toEqual([
    "preview.configuration.read",
    "user.read",
  ]);
});

test("presets contain only permissions that the user can grant; empty ones are left out", () => {
  const presets = keyPresets([profile, list, read, metrics], ["eu", "us"]);
  expect(presets.map(({ name, limits }) => [name, limits.permissions, limits.sites])).toEqual([
    ["All a personal key may do", [], []],
    ["Read-only", ["api-metric.read", "preview.configuration.read", "user.read"], []],
    ["Metrics only", ["api-metric.read"], []],
    ["Previews of one site", ["preview.configuration.read"], ["eu"]],
  ]);
  expect(keyPresets([profile], ["eu"]).map(({ name }) => name)).toEqual([
    "All a personal key may do",
  ]);
  expect(keyPresets([read], []).map(({ name }) => name)).toEqual([
    "All a personal key may do",
    "Read-only",
  ]);
});

test("a preset is recognized regardless of the order of its permissions", () => {
  const [preset] = keyPresets([read, list], []).slice(1);
  const permissions = ["user.read", "preview.configuration.read"];
  expect(preset && isPreset(preset, { permissions, sites: [] })).toBe(true);
  expect(preset && isPreset(preset, { permissions, sites: ["eu"] })).toBe(false);
});
