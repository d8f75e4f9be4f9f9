import { eq } from "drizzle-orm";
import { beforeEach, expect, vi } from "vitest";
import { sealSessions } from "@/lib/access/portal-cookie";
import { db } from "@/lib/database/open";
import { identities, users } from "@/lib/database/schema/schema";
import { forgetProviders } from "@/lib/features/connections/provider-metadata";
import {
  type Accounts,
  clientId,
  clientSecret,
  type IdentityProvider,
  openIdentityProvider,
} from "@/lib/features/connections/testing/identity-provider";
import type { Send } from "@/lib/http/testing/test-server";
import { publicUrl } from "@/lib/protocol/settings";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { ProviderBrowser } from "./provider-browser";

export const accounts: Accounts = {
  ada: {
    preferred_username: "ada",
    email: "ada@shop.example",
    email_verified: true,
    name: "Ada L.",
  },
  bob: { preferred_username: "bob", email: "bob@shop.example", email_verified: true, name: "Bob" },
  cy: { preferred_username: "cy", name: "Cy" },
};

export const member = { roleIds: ["portal.default"] };

/** A tenant with an administrator, and its provider. */
export interface ProviderWorld {
  provider: IdentityProvider;
  tenant: string;
  adminId: string;
  headers: Record<string, string>;
}

/** Creates the provider and the tenant of each test. */
export function providerWorld(send: Send) {
  const world = {} as ProviderWorld;
  beforeEach(async () => {
    vi.stubEnv("WEBHOOK_NETWORKS", "127.0.0.1");
    vi.stubEnv("RATE_LIMITS", "off");
    forgetProviders();
    const tenant = await makeTenant();
    const { userId: adminId } = await makeUser(tenant, {
      login: "root",
      roleIds: ["tenant.admin"],
    });
    const { headers } = await makeSession(tenant, adminId);
    const provider = await openIdentityProvider();
    Object.assign(world, { provider, tenant, adminId, headers });
    return async () => {
      await provider.close();
      vi.unstubAllEnvs();
    };
  });
  /** Connects the provider to the tenant. `providerId` is its id in next-auth. */
  const connect = async (given: object = {}, method?: "post", base?: string) => {
    const { provider, tenant, headers } = world;
    const known = { name: "Example Corp", issuer: provider.issuer, clientId, clientSecret };
    const body = { ...known, isEnabled: true, provisioning: "on-first-sign-in", ...given };
    const created = await send("POST /v1/tenant/connections", { headers, body });
    expect(created.status, created.text).toBe(201);
    const { redirectUri, backchannelLogoutUri, id } = created.body;
    const logoutUri = base && `${base}${new URL(backchannelLogoutUri).pathname}`;
    const client = { redirectUris: [redirectUri], accounts, logoutUri };
    provider.serve({ ...client, ...(method && { method }) });
    return { id: id as string, providerId: `${tenant}.${id}` };
  };
  const change = (id: string, body: object) =>
    send(`PATCH /v1/tenant/connections/${id}`, { headers: world.headers, body });
  const people = () => db().select().from(users).where(eq(users.tenantId, world.tenant));
  const links = () => db().select().from(identities).where(eq(identities.tenantId, world.tenant));
  /** A browser in which a user of the tenant is signed in. */
  const browserOf = async (userId: string, row: Parameters<typeof makeSession>[2] = {}) => {
    const browser = new ProviderBrowser();
    const { sessionId } = await makeSession(world.tenant, userId, row);
    const sealed = await sealSessions(new Map([[world.tenant, sessionId]]), 3600);
    browser.cookies(publicUrl()).set("next-auth.session-token", sealed);
    return browser;
  };
  return { world, connect, change, people, links, browserOf };
}
