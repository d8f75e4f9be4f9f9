import { describe, expect, test } from "vitest";
import { newId } from "@/lib/database/ids";
import { db } from "@/lib/database/open";
import { identities } from "@/lib/database/schema/schema";
import { trailOf } from "@/lib/features/audit/testing/trail";
import {
  ada,
  callerOf,
  okta,
  patchOf,
} from "@/lib/features/connections/provisioning/testing/provider-client";
import {
  connect,
  provisioningWorld,
} from "@/lib/features/connections/provisioning/testing/provisioning-world";
import { testServer } from "@/lib/http/testing/test-server";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const world = provisioningWorld(send);

const schema = "urn:ietf:params:scim:schemas:core:2.0:Group";
const call = (operation: string, body?: unknown) => callerOf(send, world)(operation, body);

async function makePeople(...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const one = { ...ada, userName: name, email: `${name}@shop.example`, externalId: name };
    ids.push((await okta(send, world).create(one)).body.id);
  }
  return ids;
}

const values = (ids: string[]) => ids.map((value) => ({ value }));

async function makeGroup(displayName: string, ids: string[] = [], more: object = {}) {
  const body = { schemas: [schema], displayName, members: values(ids), ...more };
  const answer = await call("POST /Groups", body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id as string;
}

async function membersOf(id: string): Promise<string[]> {
  const { body } = await call(`GET /Groups/${id}`);
  return body.members.map(({ value }: { value: string }) => value);
}

describe("groups", () => {
  test("201, 200, 204: created, read, replaced, renamed and deleted, each in the audit trail", async () => {
    const [one = "", two = ""] = await makePeople("ada", "bob");
    const created = await call("POST /Groups", {
      ...{ schemas: [schema], displayName: " Shop Admins ", externalId: "g1" },
      members: [{ value: one, $ref: null, display: "x" }],
    });
    expect(created.status, created.text).toBe(201);
    const { id } = created.body;
    expect(created.headers.get("location")).toMatch(new RegExp(`/Groups/${id}$`));
    expect(created.body).toMatchObject({
      ...{ schemas: [schema], displayName: "Shop Admins", externalId: "g1" },
      members: [{ value: one, display: "Ada Lovelace", type: "User" }],
      meta: { resourceType: "Group" },
    });
    const put = await call(`PUT /Groups/${id}`, { displayName: "Admins", members: values([two]) });
    expect(put.body, put.text).toMatchObject({ displayName: "Admins", members: [{ value: two }] });
    const named = patchOf({ op: "replace", value: { id, displayName: "Owners" } });
    expect((await call(`PATCH /Groups/${id}`, named)).status).toBe(204);
    const asked = await call(`PATCH /Groups/${id}?attributes=displayName`, named);
    expect(asked.body).toEqual({ schemas: [schema], id, displayName: "Owners" });
    expect((await call(`DELETE /Groups/${id}`)).status).toBe(204);
    for (const gone of ["GET", "DELETE", "PUT", "PATCH"])
      expect(
        (await call(`${gone} /Groups/${id}`, gone.startsWith("P") ? put.body : undefined)).status,
      ).toBe(404);
    expect((await call(`GET /Users/${two}`)).status).toBe(200);
    const entries = (await trailOf(world.tenant)).filter(({ action }) => /group/.test(action));
    expect(entries.map(({ action }) => action)).toEqual([
      "connection.group-created",
      "connection.group-updated",
      "connection.group-updated",
      "connection.group-deleted",
    ]);
    expect(entries[1]?.changes).toMatchObject({
      joined: { after: [two] },
      left: { before: [one] },
    });
    expect(entries[0]?.actor).toMatchObject({ type: "system", id: world.id });
  });

  test("409 uniqueness for a name in another case, and for an externalId", async () => {
    await makeGroup("Admins", [], { externalId: "g1" });
    const id = await makeGroup("Others");
    for (const body of [{ displayName: "ADMINS " }, { displayName: "x", externalId: "g1" }]) {
      expect((await call("POST /Groups", body)).body).toMatchObject({
        ...{ status: "409", scimType: "uniqueness" },
      });
      const operation = { op: "replace", value: body };
      expect((await call(`PATCH /Groups/${id}`, patchOf(operation))).status).toBe(409);
    }
    const second = await connect(send, world.headers);
    const elsewhere = await callerOf(send, second)("POST /Groups", { displayName: "Admins" });
    expect(elsewhere.status).toBe(201);
    expect((await callerOf(send, second)(`GET /Groups/${id}`)).status).toBe(404);
  });

  test("200: members are added and removed in every format that providers send", async () => {
    const [a = "", b = "", c = ""] = await makePeople("ada", "bob", "eva");
    const id = await makeGroup("Admins");
    const outcome = async (...operations: object[]) => {
      const answer = await call(`PATCH /Groups/${id}`, patchOf(...operations));
      expect(answer.status, answer.text).toBe(204);
      return membersOf(id);
    };
    const add = (...ids: string[]) => ({ op: "Add", path: "members", value: values(ids) });
    expect(await outcome(add(a, b), add(b, c))).toEqual([a, b, c]);
    expect(await outcome({ op: "Remove", path: "members", value: values([b]) })).toEqual([a, c]);
    expect(await outcome({ op: "remove", path: `members[value eq "${a}"]` })).toEqual([c]);
    expect(await outcome({ op: "ADD", value: { Members: values([a]) } })).toEqual([a, c]);
    expect(await outcome({ op: "replace", path: "members", value: values([b]) })).toEqual([b]);
    expect(await outcome({ op: "add", path: `${schema}:members`, value: { value: a } })).toEqual([
      a,
      b,
    ]);
    const either = `members[value eq "${a}" or value eq "${b}"]`;
    expect(await outcome({ op: "remove", path: either })).toEqual([]);
    expect(await outcome(add(a), { op: "remove", path: "members" })).toEqual([]);
    const unknown = { op: "replace", path: "urn:acme:2.0:Group:color", value: "red" };
    expect(await outcome(add(c), unknown, { op: "add", path: "color", value: 1 })).toEqual([c]);
    const before = (await trailOf(world.tenant)).length;
    expect(await outcome(add(c))).toEqual([c]);
    expect(await trailOf(world.tenant)).toHaveLength(before);
  });

  test("200: listed by filter, by page, and without members where they are excluded", async () => {
    const [a = "", b = ""] = await makePeople("ada", "bob");
    await makeGroup("Admins", [a], { externalId: "g1" });
    await makeGroup("Buyers", [a, b]);
    const names = async (filter: string) => {
      const answer = await call(`GET /Groups?filter=${encodeURIComponent(filter)}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.Resources.map(({ displayName }: { displayName: string }) => displayName);
    };
    expect(await names('displayName eq "ADMINS"')).toEqual(["Admins"]);
    expect(await names('externalId eq "g1"')).toEqual(["Admins"]);
    expect(await names(`members.value eq "${b}"`)).toEqual(["Buyers"]);
    expect(await names(`members[value eq "${a}"] and displayName sw "b"`)).toEqual(["Buyers"]);
    expect(await names("not (displayName pr)")).toEqual([]);
    expect((await call("GET /Groups")).body.Resources[1].members).toHaveLength(2);
    const without = (await call("GET /Groups?excludedAttributes=members&startIndex=2&count=1"))
      .body;
    expect(without).toMatchObject({ totalResults: 2, startIndex: 2, itemsPerPage: 1 });
    expect(without.Resources[0]).not.toHaveProperty("members");
    for (const filter of [
      'members.value co "x"',
      "members pr",
      'userName eq "x"',
      "displayName eq 1",
    ])
      expect((await call(`GET /Groups?filter=${encodeURIComponent(filter)}`)).body.scimType).toBe(
        "invalidFilter",
      );
  });

  test("400 for an invalid group or operation, and nothing changes", async () => {
    const [a = ""] = await makePeople("ada");
    const id = await makeGroup("Admins", [a]);
    const wrong: [scimType: string, operation: object][] = [
      ["invalidPath", { op: "remove", path: "members[" }],
      ["invalidPath", { op: "add", path: `members[value eq "${a}"]`, value: values([a]) }],
      ["invalidPath", { op: "replace", path: "__proto__.polluted", value: 1 }],
      ["invalidFilter", { op: "remove", path: "members[zz 1]" }],
      ["mutability", { op: "replace", path: "id", value: "x" }],
      ["invalidValue", { op: "remove", path: "displayName" }],
      ["invalidValue", { op: "add", path: "members", value: [{ display: "x" }] }],
      ["invalidValue", { op: "replace", path: "displayName", value: "x".repeat(300) }],
    ];
    for (const [scimType, operation] of wrong) {
      const answer = await call(`PATCH /Groups/${id}`, patchOf(operation));
      expect(answer.body, answer.text).toMatchObject({ status: "400", scimType });
    }
    expect((await call("POST /Groups", { members: [] })).body.scimType).toBe("invalidValue");
    expect((await call(`PATCH /Groups`, patchOf())).status).toBe(405);
    expect(await membersOf(id)).toEqual([a]);
  });
});

describe("members", () => {
  test("404 for a user outside this connection, 403 for an emergency administrator, 413 for too many", async () => {
    const [a = ""] = await makePeople("ada");
    const id = await makeGroup("Admins", [a]);
    const second = await connect(send, world.headers);
    const other = await callerOf(send, second)("POST /Users", { userName: "z@z.example" });
    const strangers = [
      ...["user_nobody", other.body.id, world.adminId, (await makeUser(world.tenant)).userId],
      (await makeUser(await makeTenant())).userId,
    ];
    const adding = (list: string[]) =>
      call(`PATCH /Groups/${id}`, patchOf({ op: "add", path: "members", value: values(list) }));
    for (const stranger of strangers) {
      expect((await adding([a, stranger])).body.status).toBe("404");
      const whole = { displayName: "x", members: values([stranger]) };
      expect((await call(`PUT /Groups/${id}`, whole)).status).toBe(404);
      expect((await call("POST /Groups", whole)).status).toBe(404);
    }
    const key = { tenantId: world.tenant, connectionId: world.id, userId: world.adminId };
    const issuer = "https://login.example";
    const row = { ...key, identityId: newId("iden"), issuer, subject: "x", createdAt: new Date() };
    await db().insert(identities).values(row);
    const named = `PUT /v1/tenant/emergency-administrators/${world.adminId}`;
    expect((await send(named, { headers: world.headers })).status).toBeLessThan(300);
    expect((await adding([world.adminId])).body).toMatchObject({
      ...{ status: "403", scimType: "mutability" },
    });
    const many = Array.from({ length: 5001 }, (_, at) => `user_${at}`);
    expect((await adding(many)).body).toMatchObject({ status: "413", scimType: "tooMany" });
    expect(await membersOf(id)).toEqual([a]);
  });

  test("a deleted user is no member, and is one again after the provider creates the user again", async () => {
    const [a = ""] = await makePeople("ada");
    const id = await makeGroup("Admins", [a]);
    await call(`DELETE /Users/${a}`);
    expect(await membersOf(id)).toEqual([]);
    await makePeople("ada");
    expect(await membersOf(id)).toEqual([a]);
  });
});
