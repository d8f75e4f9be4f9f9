import { hashPassword } from "@/lib/access/hashing";
import { actingAsSystem } from "@/lib/audit/system";
import { closeStore, openStore, transaction } from "@/lib/db/open";
import { createTenant } from "@/lib/tenants/create";
import { createUser } from "@/lib/users/create";

/** What the cases ask with. */
export interface World {
  tenant: string;
  login: string;
  password: string;
  sessionId: string;
  apiKey: string;
}

const tenant = "bench";
const login = "admin";
const password = "correct horse battery staple";

/** Makes a tenant of `size` users on the store in `dataDir`, before the product opens it. */
export async function seed(dataDir: string, size: number): Promise<void> {
  process.env.DATA_DIR = dataDir;
  await openStore();
  const acting = actingAsSystem(tenant, "bench");
  const hash = await hashPassword("management", password);
  await transaction(async (tx) => {
    await createTenant(tx, acting, { name: "Bench", kind: "production", sites: [{ siteId: "eu", name: "EU" }] });
    const roles = { roleIds: ["tenant.admin"], sites: {} };
    await createUser(tx, acting, { login, name: "Administrator", emailAddress: "admin@bench.example", roles, password: { hash } });
    for (let i = 1; i < size; i += 1) {
      const name = `user-${String(i).padStart(5, "0")}`;
      await createUser(tx, acting, {
        login: name,
        name: `User Number ${i}`,
        emailAddress: `${name}@bench.example`,
        roles: { roleIds: ["portal.default", "portal.catalog.mgmt"], sites: i % 3 === 0 ? { eu: { roleIds: ["portal.users.mgmt"] } } : {} },
      });
    }
  });
  await closeStore();
}

async function post(url: string, headers: Record<string, string>, body: unknown): Promise<Record<string, string>> {
  const sent = { "Content-Type": "application/json", "X-Service-Tenant": tenant, ...headers };
  const response = await fetch(url, { method: "POST", headers: sent, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Signs in and makes an API key, the way an outside program would. */
export async function enter(url: string): Promise<World> {
  const { sessionId = "" } = await post(`${url}/v1/user/session-login`, {}, { login, tenant, password });
  const validTo = new Date(Date.now() + 86_400_000).toISOString();
  const body = { name: `bench ${Date.now()}`, validTo };
  const { apiKey = "" } = await post(`${url}/v1/user/profile/api-keys`, { "X-Service-Session-Id": sessionId }, body);
  return { tenant, login, password, sessionId, apiKey };
}
