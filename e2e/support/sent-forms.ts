import { spawnSync } from "node:child_process";
import type { BrowserContext, Page } from "@playwright/test";
import { seal } from "@/components/hand-off/link";
import { expect } from "./portal";

export const password = "typed early: four words";
export const nextPassword = "typed later: four words";

let count = 0;

/** Texts that occur nowhere else, so that a search for them in addresses is reliable. */
export function unique(what: string): string {
  count += 1;
  return `${what}-${process.pid}-${Date.now().toString(36)}-${count}`;
}

/** Signs up a sandbox through the API. Returns a session of its administrator for the setup of a test. */
export async function makeSandbox({ request }: BrowserContext, emailAddress?: string) {
  const tenant = unique("sent");
  const login = unique("ada");
  const address = emailAddress ?? `${login}@example.com`;
  const ada = { name: "Ada Example", emailAddress: address, login, password };
  const made = await request.post("/v1/signup", { data: { tenant, site: "shop", ...ada } });
  expect(made.status(), await made.text()).toBe(201);
  const data = { tenant, login, password };
  const headers: Record<string, string> = { "X-Service-Tenant": tenant };
  const answered = await request.post("/v1/user/session-login", { headers, data });
  headers["X-Service-Session-Id"] = (await answered.json()).sessionId;
  const send = async (path: string, body: unknown) => {
    const response = await request.post(path, { headers, data: body });
    expect(response.status(), await response.text()).toBeLessThan(300);
    return response.json();
  };
  return { tenant, login, userId: (await made.json()).user.id as string, send };
}

export type Sandbox = Awaited<ReturnType<typeof makeSandbox>>;

export async function invitationLink({ tenant, send }: Sandbox) {
  const login = unique("new");
  const roles = { roleIds: ["portal.default"], sites: {} };
  const body = { login, name: "New Person", emailAddress: `${login}@example.com`, roles };
  const { id, token } = await send("/v1/user/invitations", body);
  return { login, userId: id as string, token, link: `/invite/${tenant}#token=${token}` };
}

export async function resetLink({ tenant, send }: Sandbox, userId: string) {
  const { token } = await send(`/v1/user/${userId}/password-reset`, {});
  return { token, link: `/reset-password/${tenant}#token=${token}` };
}

export async function handOffLink({ tenant, send }: Sandbox) {
  const validTo = new Date(Date.now() + 86_400_000).toISOString();
  const key = await send("/v1/user/profile/api-keys", { name: unique("key"), validTo });
  const { sealed, key: decryptsIt } = await seal(key.apiKey);
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key.apiKey));
  const secretHash = Buffer.from(bytes).toString("hex");
  const path = `/v1/user/profile/api-keys/${key.apiKeyId}/hand-offs`;
  const { token } = await send(path, { sealed, secretHash });
  const link = `/hand-off/${tenant}#token=${token}&key=${decryptsIt}`;
  return { token, key: decryptsIt, apiKey: key.apiKey as string, link };
}

/** A one-time password, as printed by the operator's command. */
export function oneTimePassword({ tenant, login }: Sandbox): string {
  const env = { ...process.env, DATA_DIR: process.env.E2E_FOLDER };
  const command = ["scripts/run.mjs", "reset-password", "--tenant", tenant, "--login", login];
  const { stdout, stderr } = spawnSync(process.execPath, command, { env, encoding: "utf8" });
  const found = /Password\s+(\S+)/.exec(stdout)?.[1];
  if (!found) throw new Error(`There is no one-time password: ${stdout}${stderr}`);
  return found;
}

/** Records every address that the page requests and every Referer that it sends. */
export async function watchAddresses(page: Page) {
  const seen: string[] = [];
  page.on("request", (request) => {
    seen.push(request.url(), request.headers().referer ?? "");
  });
  page.on("framenavigated", (frame) => seen.push(frame.url()));
  const history = await page.context().newCDPSession(page);
  return async function expectNone(values: readonly string[]): Promise<void> {
    const { entries } = await history.send("Page.getNavigationHistory");
    const addresses = [...seen, ...entries.map(({ url }) => url), page.url()].flatMap((address) => [
      address,
      decodeURIComponent(address.replaceAll("+", " ")),
    ]);
    expect(addresses.length).toBeGreaterThan(2);
    for (const value of values)
      expect(addresses.filter((address) => address.includes(value))).toEqual([]);
  };
}
