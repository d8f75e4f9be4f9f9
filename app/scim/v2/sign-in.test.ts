import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { newId } from "@/lib/database/ids";
import { db } from "@/lib/database/open";
import { identities } from "@/lib/database/schema/schema";
import {
  ada,
  okta,
  patchOf,
} from "@/lib/features/connections/provisioning/testing/provider-client";
import { ProviderBrowser } from "@/lib/features/portal/testing/provider-browser";
import { providerWorld } from "@/lib/features/portal/testing/provider-world";
import { testServer } from "@/lib/http/testing/test-server";
import { makeUser } from "@/lib/setup/testing/factories";

/** Provisioned users sign in at their provider by the externalId that the connection maps to a claim. */

const send = testServer();
const { world, connect, people, links } = providerWorld(send);

async function provisioned(given: object = { externalIdClaim: "sub" }) {
  const { id, providerId } = await connect({ provisioning: "linked-only", ...given });
  const { headers, tenant } = world;
  const { token } = (
    await send(`POST /v1/tenant/connections/${id}/provisioning-token`, { headers })
  ).body;
  return { providerId, client: okta(send, { path: `/scim/v2/${tenant}.${id}`, token }) };
}

const signIn = (providerId: string) => new ProviderBrowser().signIn(providerId, "ada");

test("the first sign-in links the user whose externalId is the subject, and later ones find the link", async () => {
  const { client, providerId } = await provisioned();
  const { id } = (await client.create({ ...ada, externalId: "ada" })).body;
  expect((await signIn(providerId)).path).toBe(`/t/${world.tenant}`);
  expect((await signIn(providerId)).path).toBe(`/t/${world.tenant}`);
  expect(await links()).toMatchObject([{ userId: id, subject: "ada" }]);
  await client.deactivate(id);
  expect((await signIn(providerId)).path).not.toBe(`/t/${world.tenant}`);
});

test("no user is linked where the connection maps no claim, by login or address, or a second time", async () => {
  const { client, providerId } = await provisioned({});
  await client.create({ ...ada, externalId: "ada" });
  await makeUser(world.tenant, { login: "ada" });
  expect((await signIn(providerId)).path).not.toBe(`/t/${world.tenant}`);
  expect(await links()).toEqual([]);
  expect(await people()).toHaveLength(3);
});

test("an externalId that was set on a user created by hand signs nobody in", async () => {
  const { client, providerId } = await provisioned();
  const { userId } = await makeUser(world.tenant);
  const connectionId = providerId.split(".")[1] ?? "";
  const key = { tenantId: world.tenant, connectionId, userId };
  const identity = { identityId: newId("iden"), issuer: world.provider.issuer, subject: "hand" };
  await db()
    .insert(identities)
    .values({ ...key, ...identity, createdAt: new Date() });
  const operation = { op: "replace", path: "externalId", value: "ada" };
  expect((await client.call(`PATCH /Users/${userId}`, patchOf(operation))).status).toBe(200);
  await db().delete(identities).where(eq(identities.tenantId, world.tenant));
  expect((await signIn(providerId)).path).not.toBe(`/t/${world.tenant}`);
  expect(await links()).toEqual([]);
});

test("another externalId is another account at the provider: the previous link is removed", async () => {
  const { client, providerId } = await provisioned();
  const { id } = (await client.create({ ...ada, externalId: "ada" })).body;
  await signIn(providerId);
  const operation = { op: "replace", path: "externalId", value: "bob" };
  const answer = await client.call(`PATCH /Users/${id}`, patchOf(operation));
  expect(answer.body.externalId, answer.text).toBe("bob");
  expect(await links()).toEqual([]);
  expect((await signIn(providerId)).path).not.toBe(`/t/${world.tenant}`);
  expect((await new ProviderBrowser().signIn(providerId, "bob")).path).toBe(`/t/${world.tenant}`);
  expect(await links()).toMatchObject([{ userId: id, subject: "bob" }]);
});
