import type { Answered, Send, Sent } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

export type Headers = Record<string, string>;

/** An editor of site `one` in a separate tenant, with its request headers. */
export async function makeEditor(
  roles: { roleIds?: string[]; sites?: Record<string, string[]> } = {
    roleIds: ["portal.pim.mgmt"],
  },
) {
  const tenant = await makeTenant();
  const user = await makeUser(tenant, roles);
  const key = await makeApiKey(tenant, user.userId);
  const session = await makeSession(tenant, user.userId);
  const atOne = (headers: Headers): Headers => ({ ...headers, "X-Service-Site": "one" });
  return { tenant, ...user, key: atOne(key.headers), session: atOne(session.headers) };
}

/** Sends requests to the configuration of a key. */
export function configurationOf(send: Send, headers: Headers) {
  const path = (key: string) => `/pim/preview/${key}/configuration`;
  const json = { "Content-Type": "application/json" };
  return {
    create: (key: string, configuration: unknown = {}) =>
      send("POST /pim/preview", { headers, body: { key, configuration } }),
    get: (key: string, more: Headers = {}): Promise<Answered> =>
      send(`GET ${path(key)}`, { headers: { ...headers, ...more } }),
    put: (key: string, raw: Sent["raw"], more: Headers = {}): Promise<Answered> =>
      send(`PUT ${path(key)}`, {
        headers: { ...headers, ...json, ...more },
        ...(raw === undefined ? {} : { raw }),
      }),
  };
}
