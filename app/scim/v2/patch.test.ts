import { describe, expect, test } from "vitest";
import { trailOf } from "@/lib/features/audit/testing/trail";
import {
  ada,
  callerOf,
  okta,
  patchOf,
} from "@/lib/features/connections/provisioning/testing/provider-client";
import {
  peopleOf,
  provisioningWorld,
} from "@/lib/features/connections/provisioning/testing/provisioning-world";
import { testServer } from "@/lib/http/testing/test-server";

const send = testServer();
const world = provisioningWorld(send);

const person = async (userId: string) =>
  (await peopleOf(world.tenant)).find((row) => row.userId === userId);

describe("PATCH", () => {
  const create = async () => (await okta(send, world).create(ada)).body.id as string;

  test.each([
    ["without a path, with paths as names", { op: "REPLACE", value: { "name.givenName": "Eva" } }],
    ["a whole name", { op: "add", path: "name", value: { givenName: "Eva" } }],
    [
      "with the schema before the name",
      {
        op: "replace",
        path: "urn:ietf:params:scim:schemas:core:2.0:User:name.givenName",
        value: "Eva",
      },
    ],
    ["in another case", { op: "Replace", path: "NAME.GIVENNAME", value: "Eva" }],
  ])("200: %s", async (_, operation) => {
    const id = await create();
    const answer = await callerOf(send, world)(`PATCH /Users/${id}`, patchOf(operation));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.name).toMatchObject({ givenName: "Eva", familyName: "Lovelace" });
    expect(answer.body.displayName).toBe("Eva Lovelace");
  });

  test("200: an address added as the primary one replaces the previous one", async () => {
    const id = await create();
    const value = [{ type: "home", value: "eva@shop.example", primary: true }];
    const call = callerOf(send, world);
    const answer = await call(`PATCH /Users/${id}`, patchOf({ op: "add", path: "emails", value }));
    expect(answer.body.emails, answer.text).toMatchObject([{ value: "eva@shop.example" }]);
  });

  test("200 without an entry in the audit trail where nothing differs", async () => {
    const id = await create();
    const before = (await trailOf(world.tenant)).length;
    const answer = await okta(send, world).activate(id);
    expect(answer.status).toBe(200);
    expect((await okta(send, world).replace(id, ada)).status).toBe(200);
    expect(await trailOf(world.tenant)).toHaveLength(before);
  });

  test("400 for an invalid operation, and nothing changes", async () => {
    const id = await create();
    const before = await person(id);
    const wrong: [scimType: string, operation: unknown][] = [
      ["invalidPath", { op: "replace", path: "name[", value: "x" }],
      ["invalidPath", { op: "replace", path: "__proto__.polluted", value: "x" }],
      ["invalidPath", { op: "replace", value: { "__proto__.polluted": "x" } }],
      ["invalidPath", { op: "replace", path: 'userName[value eq "x"]', value: "x" }],
      ["invalidFilter", { op: "replace", path: "emails[type zz 1].value", value: "x" }],
      ["invalidSyntax", { op: "move", path: "userName", value: "x" }],
      ["invalidSyntax", "x"],
      ["noTarget", { op: "remove" }],
      ["mutability", { op: "replace", path: "id", value: "x" }],
      ["invalidValue", { op: "replace", path: "active", value: "perhaps" }],
      ["invalidValue", { op: "remove", path: "userName" }],
      ["invalidValue", { op: "replace", value: "x" }],
    ];
    for (const [scimType, operation] of wrong) {
      const body = patchOf(operation as object);
      const answer = await callerOf(send, world)(`PATCH /Users/${id}`, body);
      expect(answer.body, answer.text).toMatchObject({ status: "400", scimType });
    }
    expect(await person(id)).toEqual(before);
    expect({}).not.toHaveProperty("polluted");
  });

  test("200: paths to the prototype of all objects are not stored and have no effect", async () => {
    const id = await create();
    const operations = [
      { op: "add", path: "constructor.prototype", value: { polluted: 1 } },
      { op: "add", path: "toString.polluted", value: 1 },
      { op: "add", value: { constructor: { prototype: { polluted: 1 } } } },
      { op: "add", path: "name", value: JSON.parse('{"__proto__": {"polluted": 1}}') },
    ];
    const answer = await callerOf(send, world)(`PATCH /Users/${id}`, patchOf(...operations));
    expect(answer.status, answer.text).toBe(200);
    expect({}).not.toHaveProperty("polluted");
    expect({}.toString).not.toHaveProperty("polluted");
  });

  test("413 for more operations than the limit", async () => {
    const id = await create();
    const operation = { op: "replace", path: "displayName", value: "x" };
    const many = patchOf(...Array.from({ length: 10_000 }, () => operation));
    const answer = await callerOf(send, world)(`PATCH /Users/${id}`, many);
    expect(answer.body).toMatchObject({ status: "413", scimType: "tooMany" });
  });
});
