import { afterEach, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { identities } from "@/lib/database/schema/schema";
import {
  admins,
  analysts,
  group,
  groupWorld,
  line,
  person,
} from "@/lib/features/connections/provisioning/testing/group-world";
import { ProviderBrowser } from "@/lib/features/portal/testing/provider-browser";
import { accounts } from "@/lib/features/portal/testing/provider-world";
import { testServer } from "@/lib/http/testing/test-server";

/** The roles of users from the groups in their provider's claim at sign-in. */

const send = testServer();
const { world, connected, change, held } = groupWorld(send);

const signIn = (providerId: string) => new ProviderBrowser().signIn(providerId, "ada");
const saying = (groups: unknown) => Object.assign(accounts.ada ?? {}, { groups });

afterEach(() => {
  delete accounts.ada?.groups;
});

test("the claim is applied at each sign-in, and gives tenant.admin only where the line is ticked", async () => {
  const provider = await connected(analysts, admins("Owners"));
  const id = await person(provider, "ada");
  saying(["Analysts", "owners", { evil: "Owners" }]);
  await signIn(provider.providerId);
  expect(await held(id)).toEqual(["portal.analytics.mgmt (group)", "portal.default"]);
  saying("Owners");
  await signIn(provider.providerId);
  expect(await held(id)).toContain("tenant.admin (group)");
  saying(undefined);
  await signIn(provider.providerId);
  expect(await held(id)).toEqual(["portal.default"]);
});

test("for a provisioned group only the provisioning counts", async () => {
  const provider = await connected(analysts);
  const id = await person(provider, "ada");
  saying(["Analysts"]);
  await signIn(provider.providerId);
  expect(await held(id)).toContain("portal.analytics.mgmt (group)");
  const made = await group(provider, "Analysts");
  expect(await held(id)).toEqual(["portal.default"]);
  await signIn(provider.providerId);
  expect(await held(id)).toEqual(["portal.default"]);
  await provider.call(`DELETE /Groups/${made}`);
  expect(await held(id)).toEqual(["portal.default"]);
  await signIn(provider.providerId);
  expect(await held(id)).toContain("portal.analytics.mgmt (group)");
});

test("each of two connections gives the roles of its own groups; a disabled, unlinked or deleted one gives none", async () => {
  const first = await connected(analysts);
  const { headers } = world;
  const client = {
    name: "Second",
    issuer: "https://second.example",
    clientId: "x",
    clientSecret: "y",
  };
  const body = {
    ...client,
    isEnabled: true,
    groupRoles: [line("Readers", "portal.analytics.mgmt", "portal.pim.mgmt")],
  };
  const second = (await send("POST /v1/tenant/connections", { headers, body })).body.id;
  const id = await person(first, "ada");
  saying(["Analysts", "Readers"]);
  await signIn(first.providerId);
  expect(await held(id)).toEqual(["portal.analytics.mgmt (group)", "portal.default"]);
  const key = { tenantId: world.tenant, connectionId: second, userId: id, identityId: "iden_2" };
  await db()
    .insert(identities)
    .values({
      ...{
        ...key,
        issuer: client.issuer,
        subject: "x",
        createdAt: new Date(),
        groups: ["Readers", "Analysts"],
      },
    });
  await signIn(first.providerId);
  const all = ["portal.analytics.mgmt (group)", "portal.default", "portal.pim.mgmt (group)"];
  expect(await held(id)).toEqual(all);
  expect((await change(first.id, { isEnabled: false })).status).toBe(200);
  expect(await held(id)).toEqual(all);
  expect((await change(second, { claims: { groups: "other" } })).status).toBe(200);
  expect(await held(id)).toEqual(["portal.default"]);
  expect((await change(first.id, { isEnabled: true })).status).toBe(200);
  expect(await held(id)).toEqual(all.slice(0, 2));
  const deleted = await send(`DELETE /v1/tenant/connections/${first.id}`, { headers });
  expect(deleted.status, deleted.text).toBe(204);
  expect(await held(id)).toEqual(["portal.default"]);
});
