import { eq } from "drizzle-orm";
import { beforeEach, expect } from "vitest";
import { db } from "@/lib/database/open";
import { users } from "@/lib/database/schema/schema";
import type { Send } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import type { Address } from "./provider-client";

const connection = {
  name: "Example Corp",
  issuer: "https://login.example",
  clientId: "gatehouse",
  clientSecret: "what only the provider and we know",
};

export interface Connected extends Address {
  id: string;
}

/** A tenant with an administrator, and a connection with a provisioning token, for each test. */
export interface ProvisioningWorld extends Connected {
  tenant: string;
  adminId: string;
  headers: Record<string, string>;
}

/** Connects a provider to the tenant of the administrator, and creates its provisioning token. */
export async function connect(
  send: Send,
  headers: Record<string, string>,
  given: object = {},
): Promise<Connected> {
  const body = { ...connection, ...given };
  const created = await send("POST /v1/tenant/connections", { headers, body });
  expect(created.status, created.text).toBe(201);
  const { id, provisioningUrl } = created.body;
  const path = new URL(provisioningUrl).pathname;
  const rotated = await send(`POST /v1/tenant/connections/${id}/provisioning-token`, { headers });
  expect(rotated.status, rotated.text).toBe(200);
  return { id, path, token: rotated.body.token };
}

/** Sets up a tenant for each test. */
export function provisioningWorld(send: Send, given: object = {}): ProvisioningWorld {
  const world = {} as ProvisioningWorld;
  beforeEach(async () => {
    const tenant = await makeTenant();
    const { userId: adminId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { headers } = await makeSession(tenant, adminId);
    Object.assign(world, { tenant, adminId, headers, ...(await connect(send, headers, given)) });
  });
  return world;
}

export const peopleOf = (tenant: string) =>
  db().select().from(users).where(eq(users.tenantId, tenant));
