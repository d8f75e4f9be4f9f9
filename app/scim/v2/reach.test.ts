import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { issueManagementBearer } from "@/lib/access/management-bearer";
import { newId } from "@/lib/database/ids";
import { db } from "@/lib/database/open";
import { identities } from "@/lib/database/schema/schema";
import {
  ada,
  callerOf,
  entra,
  okta,
  patchOf,
} from "@/lib/features/connections/provisioning/testing/provider-client";
import {
  connect,
  peopleOf,
  provisioningWorld,
} from "@/lib/features/connections/provisioning/testing/provisioning-world";
import { makeVerifier, verifying } from "@/lib/features/verification/testing/verifying";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

/** The users that a connection's token can and cannot access, whatever the request. */

const send = testServer();
const world = provisioningWorld(send);

const person = async (userId: string) =>
  (await peopleOf(world.tenant)).find((row) => row.userId === userId);

const link = (userId: string, subject: string) =>
  db()
    .insert(identities)
    .values({
      ...{
        tenantId: world.tenant,
        connectionId: world.id,
        identityId: newId("iden"),
        userId,
        subject,
      },
      ...{ issuer: "https://login.example", createdAt: new Date() },
    });

/** Every request that a client may send with an id. */
const attempts = (id: string): [operation: string, body?: unknown][] => [
  [`GET /Users/${id}`],
  [`PUT /Users/${id}`, { userName: "taken-over", emails: [{ value: "e@evil.example" }] }],
  [`PATCH /Users/${id}`, patchOf({ op: "replace", path: "active", value: false })],
  [`DELETE /Users/${id}`],
];

describe("users outside the connection", () => {
  test.each([
    ["somebody who was created by hand", () => makeUser(world.tenant)],
    ["the administrator", () => ({ userId: world.adminId })],
    ["a program", () => makeUser(world.tenant, { row: { kind: "service" } })],
    ["a guest", async () => makeUser(world.tenant, { row: { homeTenantId: await makeTenant() } })],
    ["a user of the platform", () => makeUser(world.tenant, { row: { isSystem: true } })],
    ["somebody of another tenant", async () => makeUser(await makeTenant())],
  ])("404 for %s, who stays unchanged and is in no list", async (what, make) => {
    const { userId } = await make();
    // A link does not give access to the account of a program, a guest or the platform either.
    if (/program|guest|platform/.test(what)) await link(userId, userId);
    const before = await person(userId);
    const call = callerOf(send, world);
    for (const [operation, body] of attempts(userId)) {
      const answer = await call(operation, body);
      expect([operation, answer.status]).toEqual([operation, 404]);
      expect(answer.body.schemas).toEqual(["urn:ietf:params:scim:api:messages:2.0:Error"]);
    }
    expect(await person(userId)).toEqual(before);
    expect((await call("GET /Users")).body.totalResults).toBe(0);
  });

  test("404 for users that another connection of the same tenant created", async () => {
    const { id } = (await okta(send, world).create(ada)).body;
    const second = await connect(send, world.headers);
    const before = await person(id);
    for (const [operation, body] of attempts(id))
      expect((await callerOf(send, second)(operation, body)).status).toBe(404);
    expect((await okta(send, second).create(ada)).status).toBe(409);
    expect(await person(id)).toEqual(before);
  });

  test("200 for a user who was created by hand and linked the provider, and 404 once the link is removed", async () => {
    const { userId } = await makeUser(world.tenant);
    await link(userId, "ada");
    const call = callerOf(send, world);
    expect((await call(`GET /Users/${userId}`)).status).toBe(200);
    expect((await call("GET /Users")).body.Resources).toMatchObject([{ id: userId }]);
    expect((await entra(send, world).deactivate(userId)).body.active).toBe(false);
    await db().delete(identities).where(eq(identities.tenantId, world.tenant));
    expect((await entra(send, world).activate(userId)).status).toBe(404);
    expect((await call("GET /Users")).body.totalResults).toBe(0);
  });

  test("409 for the last administrator who can sign in, by PATCH and DELETE", async () => {
    await link(world.adminId, "root");
    const client = entra(send, world);
    expect((await client.deactivate(world.adminId)).body).toMatchObject({ status: "409" });
    expect((await client.remove(world.adminId)).body).toMatchObject({ status: "409" });
    expect((await person(world.adminId))?.state).toBe("active");
    await makeUser(world.tenant, { roleIds: ["tenant.admin"] });
    expect((await client.deactivate(world.adminId)).status).toBe(200);
  });
});

describe("whose an account is", () => {
  const create = async () => (await okta(send, world).create(ada)).body.id as string;
  const patch = (id: string, path: string, value: unknown) =>
    callerOf(send, world)(`PATCH /Users/${id}`, patchOf({ op: "replace", path, value }));
  const address = 'emails[type eq "work"].value';

  test("403 for another address or externalId of a user who meanwhile manages users; the name and active follow the provider", async () => {
    const id = await create();
    const asked = { headers: { ...world.headers, "If-Match": "*" } };
    const roles = { roleIds: ["portal.default", "portal.users.mgmt"], sites: {} };
    await send(`PUT /v1/user/${id}/roles`, { ...asked, body: roles });
    for (const [path, value] of [
      [address, "e@evil.example"],
      ["externalId", "evil"],
    ] as const)
      expect((await patch(id, path, value)).body).toMatchObject({
        ...{ status: "403", scimType: "mutability" },
      });
    expect((await patch(id, "displayName", "Ada King")).status).toBe(200);
    expect((await entra(send, world).deactivate(id)).status).toBe(200);
    expect(await person(id)).toMatchObject({ name: "Ada King", emailAddress: ada.email });
  });

  test("403 for another address of a user created by hand, and 200 for an externalId, which does not identify that user", async () => {
    const { userId } = await makeUser(world.tenant);
    await link(userId, "hand");
    expect((await patch(userId, address, "e@evil.example")).body.scimType).toBe("mutability");
    for (const value of ["one", "two"])
      expect((await patch(userId, "externalId", value)).body.externalId).toBe(value);
    const isHere = eq(identities.tenantId, world.tenant);
    expect(await db().select().from(identities).where(isHere)).toMatchObject([{ subject: "hand" }]);
  });

  test("403 for an emergency administrator, by any request", async () => {
    await link(world.adminId, "root");
    await makeUser(world.tenant, { roleIds: ["tenant.admin"] });
    const named = `PUT /v1/tenant/emergency-administrators/${world.adminId}`;
    const answer = await send(named, { headers: world.headers });
    expect(answer.status, answer.text).toBeLessThan(300);
    const before = await person(world.adminId);
    for (const [operation, body] of attempts(world.adminId).slice(1)) {
      const { body: error } = await callerOf(send, world)(operation, body);
      expect([operation, error.status, error.scimType]).toEqual([operation, "403", "mutability"]);
    }
    expect(await person(world.adminId)).toEqual(before);
  });

  test("a PUT without active and addresses changes neither", async () => {
    const id = await create();
    await okta(send, world).deactivate(id);
    const answer = await callerOf(send, world)(`PUT /Users/${id}`, { userName: "renamed" });
    expect(answer.body, answer.text).toMatchObject({ active: false, userName: "renamed" });
    expect(await person(id)).toMatchObject({ state: "deactivated", emailAddress: ada.email });
  });
});

test("active false: session, API key and bearer end with it, and so do a verifier's cached answers about them", async () => {
  const { id } = (await okta(send, world).create(ada)).body;
  const session = await makeSession(world.tenant, id);
  const key = await makeApiKey(world.tenant, id);
  const { accessToken } = await issueManagementBearer({
    ...{ tenantId: world.tenant, userId: id, credentialId: session.sessionRef },
  });
  const bearer = { "X-Service-Tenant": world.tenant, Authorization: `Bearer ${accessToken}` };
  const all = [session.headers, key.headers, bearer];
  const verifier = await makeVerifier(world.tenant);
  const { verdict } = verifying(send, () => verifier);
  const verdicts = async () => [
    (await verdict({ apiKey: key.apiKey })).active,
    (await verdict({ sessionId: session.sessionId })).active,
  ];
  for (const headers of all)
    expect((await send("GET /v1/user/profile", { headers })).status).toBe(200);
  expect(await verdicts()).toEqual([true, true]);
  const feed = await send("GET /v1/access/revocations", { headers: verifier });
  const next = /^<([^>]+)>/.exec(feed.headers.get("link") ?? "")?.[1] ?? "";
  await entra(send, world).deactivate(id);
  for (const headers of all)
    expect((await send("GET /v1/user/profile", { headers })).status).toBeGreaterThan(400);
  expect(await verdicts()).toEqual([false, false]);
  const revoked = await send(`GET ${next}`, { headers: verifier });
  expect(revoked.body).toMatchObject([{ subjectKind: "user", subjectId: id, effect: "changed" }]);
});
