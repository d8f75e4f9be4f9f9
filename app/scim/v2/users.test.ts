import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { provisionedUsers } from "@/lib/database/schema/schema";
import { trailOf } from "@/lib/features/audit/testing/trail";
import {
  ada,
  callerOf,
  entra,
  okta,
} from "@/lib/features/connections/provisioning/testing/provider-client";
import {
  peopleOf,
  provisioningWorld,
} from "@/lib/features/connections/provisioning/testing/provisioning-world";
import { testServer } from "@/lib/http/testing/test-server";
import { makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const world = provisioningWorld(send);

const person = async (userId: string) =>
  (await peopleOf(world.tenant)).find((row) => row.userId === userId);

test("the full sequence of Okta: lookup, creation, PUT of the whole user, deactivation, activation", async () => {
  const client = okta(send, world);
  expect((await client.lookup(ada.userName)).body).toMatchObject({
    totalResults: 0,
    Resources: [],
  });
  const created = await client.create(ada);
  expect(created.status, created.text).toBe(201);
  expect(created.headers.get("content-type")).toBe("application/scim+json");
  const { id } = created.body;
  expect(created.headers.get("location")).toBe(created.body.meta.location);
  expect(created.body).toMatchObject({
    ...{ userName: ada.userName, externalId: ada.externalId, active: true },
    ...{ displayName: "Ada Lovelace", name: { givenName: "Ada", familyName: "Lovelace" } },
    emails: [{ value: ada.email, primary: true }],
  });
  expect(await person(id)).toMatchObject({ state: "active", grants: " portal.default" });
  const found = await client.lookup(ada.userName.toUpperCase());
  expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
  expect((await client.create(ada)).body).toMatchObject({ status: "409", scimType: "uniqueness" });
  const married = { ...ada, familyName: "King", userName: "king@shop.example" };
  const replaced = await client.replace(id, married);
  expect(replaced.status, replaced.text).toBe(200);
  expect(replaced.body).toMatchObject({ userName: "king@shop.example", displayName: "Ada King" });
  expect((await client.deactivate(id)).body.active).toBe(false);
  expect((await person(id))?.state).toBe("deactivated");
  expect((await client.activate(id)).body.active).toBe(true);
  expect((await person(id))?.state).toBe("active");
  const trail = await trailOf(world.tenant);
  const actions = trail.filter(({ target }) => target.id === id).map(({ action }) => action);
  expect(actions).toEqual([
    ...["user.created", "user.updated", "user.deactivated", "user.reactivated"],
  ]);
  for (const { actor } of trail.filter(({ target }) => target.id === id))
    expect(actor).toEqual({ type: "system", id: world.id, login: "Example Corp" });
  // A provisioned user is active after reactivation, without an invitation or a sign-in.
  for (const verb of ["deactivate", "reactivate"])
    await send(`POST /v1/user/${id}/${verb}`, { headers: world.headers });
  expect((await person(id))?.state).toBe("active");
});

test("the requests of Entra ID: operation names in capitals, booleans as text, paths, DELETE and a second creation", async () => {
  const client = entra(send, world);
  const created = await client.create(ada);
  expect(created.status, created.text).toBe(201);
  const { id } = created.body;
  const renamed = { ...ada, givenName: "Augusta", familyName: "King", email: "king@shop.example" };
  const patched = await client.rename(id, renamed);
  expect(patched.status, patched.text).toBe(200);
  expect(patched.body).toMatchObject({
    ...{ displayName: "Augusta King", name: { givenName: "Augusta", familyName: "King" } },
    emails: [{ value: "king@shop.example", type: "work", primary: true }],
  });
  expect(await person(id)).toMatchObject({ name: "Augusta King", emailAddress: renamed.email });
  expect((await client.deactivate(id)).body.active).toBe(false);
  expect((await client.activate(id)).body.active).toBe(true);
  expect((await client.remove(id)).status).toBe(204);
  expect(await person(id)).toMatchObject({ state: "deactivated", login: ada.userName });
  expect((await client.call(`GET /Users/${id}`)).status).toBe(404);
  expect((await client.remove(id)).status).toBe(404);
  expect((await client.lookup(ada.userName)).body.totalResults).toBe(0);
  const again = await client.create(ada);
  expect([again.status, again.body.id, again.body.active]).toEqual([201, id, true]);
  expect((await person(id))?.state).toBe("active");
});

describe("creation", () => {
  test.each([
    ["without a userName", { userName: undefined }],
    ["with an invisible character", { userName: "ada\u200b" }],
    ["with a control character", { userName: "ada\u0007" }],
    ["with an invalid address", { emails: [{ value: "nobody" }] }],
    ["without an address", { emails: [], userName: "ada" }],
    ["with too many addresses", { emails: Array(21).fill({ value: "a@shop.example" }) }],
    ["with a list as a name", { userName: ["ada"] }],
  ])("400 invalidValue %s", async (_, given) => {
    const body = { userName: "ada", emails: [{ value: "a@shop.example" }], ...given };
    const answer = await callerOf(send, world)("POST /Users", body);
    expect(answer.body, answer.text).toMatchObject({ status: "400", scimType: "invalidValue" });
  });

  test("409 uniqueness for the userName of a user created by hand, in any case; that user is not changed", async () => {
    const { userId } = await makeUser(world.tenant, { login: "Jos\u00e9" });
    const before = await person(userId);
    for (const userName of ["JOS\u00c9", "jose\u0301"]) {
      const answer = await okta(send, world).create({ ...ada, userName });
      expect(answer.body, answer.text).toMatchObject({ status: "409", scimType: "uniqueness" });
    }
    expect(await person(userId)).toEqual(before);
  });

  test("409 uniqueness for the externalId of another user, and for a change to a userName in use", async () => {
    const client = okta(send, world);
    await client.create(ada);
    const bob = { ...ada, userName: "bob", externalId: "other" };
    const same = await client.create({ ...bob, externalId: ada.externalId ?? "" });
    expect(same.body, same.text).toMatchObject({ status: "409", scimType: "uniqueness" });
    const { id } = (await client.create(bob)).body;
    const { login } = await makeUser(world.tenant);
    for (const userName of [ada.userName.toUpperCase(), login]) {
      const answer = await client.replace(id, { ...bob, userName });
      expect(answer.body, answer.text).toMatchObject({ status: "409", scimType: "uniqueness" });
    }
    expect((await person(id))?.login).toBe("bob");
  });

  test("of four concurrent creations one succeeds, and the others are 409", async () => {
    const client = okta(send, world);
    const answers = await Promise.all(Array.from({ length: 4 }, () => client.create(ada)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 409, 409, 409]);
  });

  test("an inactive user is created without access", async () => {
    const body = { userName: "eva", emails: [{ value: "e@shop.example" }], active: "False" };
    const { id, active } = (await callerOf(send, world)("POST /Users", body)).body;
    expect([active, (await person(id))?.state]).toEqual([false, "deactivated"]);
  });
});

test("erasing a user also deletes what the provider sent about them", async () => {
  const { id } = (await okta(send, world).create(ada)).body;
  await okta(send, world).deactivate(id);
  const asked = { headers: world.headers, body: { reason: "asked for" } };
  const erased = await send(`POST /v1/user/${id}/erase`, asked);
  expect(erased.status, erased.text).toBeLessThan(300);
  const isHere = and(eq(provisionedUsers.tenantId, world.tenant), eq(provisionedUsers.userId, id));
  expect(await db().select().from(provisionedUsers).where(isHere)).toEqual([]);
  expect((await callerOf(send, world)(`GET /Users/${id}`)).status).toBe(404);
});
