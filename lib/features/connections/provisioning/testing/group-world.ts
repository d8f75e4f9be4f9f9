import { and, eq } from "drizzle-orm";
import { expect } from "vitest";
import { db } from "@/lib/database/open";
import { roleAssignments } from "@/lib/database/schema/schema";
import { callerOf, patchOf } from "@/lib/features/connections/provisioning/testing/provider-client";
import { providerWorld } from "@/lib/features/portal/testing/provider-world";
import type { Send } from "@/lib/http/testing/test-server";

export const none = { roleIds: [] as string[], sites: {} };

/** A line of a connection: the group, and roles in the whole tenant. */
export const line = (group: string, ...roleIds: string[]) => ({
  group,
  roles: { ...none, roleIds },
});

export const admins = (group: string) => ({
  ...line(group, "tenant.admin", "portal.users.mgmt"),
  grantsAdministration: true,
});

export const analysts = line("Analysts", "portal.analytics.mgmt");

export interface Provider {
  id: string;
  providerId: string;
  call: ReturnType<typeof callerOf>;
}

const values = (ids: string[]) => ids.map((value) => ({ value }));

/** A user created by the provider, with the name as externalId. */
export async function person({ call }: Provider, name: string): Promise<string> {
  const emails = [{ value: `${name}@shop.example`, primary: true }];
  const body = { userName: name, externalId: name, displayName: name, emails };
  const answer = await call("POST /Users", body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

export async function group({ call }: Provider, displayName: string, ...ids: string[]) {
  const answer = await call("POST /Groups", { displayName, members: values(ids) });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id as string;
}

export const join = ({ call }: Provider, id: string, ...ids: string[]) =>
  call(`PATCH /Groups/${id}`, patchOf({ op: "add", path: "members", value: values(ids) }));

export const leave = ({ call }: Provider, id: string, ...ids: string[]) =>
  call(`PATCH /Groups/${id}`, patchOf({ op: "remove", path: "members", value: values(ids) }));

/** Deletes all roles of a user directly in the store, past every rule. */
export async function stripRoles(tenant: string, user: string): Promise<void> {
  const { tenantId, userId } = roleAssignments;
  await db()
    .delete(roleAssignments)
    .where(and(eq(tenantId, tenant), eq(userId, user)));
}

/** A tenant whose connection provisions people and groups. */
export function groupWorld(send: Send) {
  const { world, connect, change } = providerWorld(send);
  /** Connects the provider, with a token for provisioning and these lines. */
  const connected = async (...groupRoles: object[]): Promise<Provider> => {
    const { id, providerId } = await connect({ externalIdClaim: "sub", groupRoles });
    const { headers, tenant } = world;
    const path = `POST /v1/tenant/connections/${id}/provisioning-token`;
    const { token } = (await send(path, { headers })).body;
    return { id, providerId, call: callerOf(send, { path: `/scim/v2/${tenant}.${id}`, token }) };
  };
  /** The roles of a user, each with its source unless it was granted by hand. */
  const held = async (user: string): Promise<string[]> => {
    const { tenantId, userId } = roleAssignments;
    const rows = await db()
      .select()
      .from(roleAssignments)
      .where(and(eq(tenantId, world.tenant), eq(userId, user)));
    return rows
      .map(({ roleId, heldBy }) => `${roleId}${heldBy === "hand" ? "" : ` (${heldBy})`}`)
      .sort();
  };
  const rolesBy = (user: string) => send(`GET /v1/user/${user}/roles`, { headers: world.headers });
  const setRoles = (user: string, roleIds: string[], headers = world.headers) =>
    send(`PUT /v1/user/${user}/roles`, {
      headers: { ...headers, "If-Match": "*" },
      body: { ...none, roleIds },
    });
  return { world, connected, change, held, rolesBy, setRoles };
}
