import type { Send } from "@/lib/http/testing/test-server";

/*
 * Collects what a release issues, only over its API: this file runs unchanged in a checkout of each release whose store is kept
 * (see `lib/setup/upgrade.test.ts`), and so imports nothing of the product.
 */

const password = "an old and mossy bridge";
const tenant = "north";
const site = "main";
const dayMs = 86_400_000;

/** What a release issues to users and programs in addition to its store. The secrets are those of a test's store. */
export type HandedOut = Awaited<ReturnType<typeof handOut>>;

interface Given {
  send: Send;
  /** The one-time password of the first run. */
  systemPassword: string;
  /** Encrypts a session into the portal's cookie. */
  sealCookie: (tenant: string, sessionId: string) => Promise<string>;
}

/** Throws for a response that is not a success. */
export function successOf(operation: string, send: Send): Send {
  return async (_, sent) => {
    const response = await send(operation, sent);
    if (response.status < 300) return response;
    throw new Error(`${operation} was answered ${response.status} ${response.text}`);
  };
}

const makeAsk =
  (send: Send): Send =>
  (operation, sent) =>
    successOf(operation, send)(operation, sent);

type Headers = Record<string, string>;

async function signIn(ask: Send, of: string, login: string, secret = password): Promise<Headers> {
  const headers = { "X-Service-Tenant": of };
  const body = { tenant: of, login, password: secret };
  const { body: session } = await ask("POST /v1/user/session-login", { headers, body });
  return { ...headers, "X-Service-Session-Id": session.sessionId };
}

/** The platform's system user, who has changed the one-time password and created a tenant whose administrator has not signed in yet. */
async function handOutBySupport(ask: Send, oneTime: string) {
  const first = await signIn(ask, "platform", "system", oneTime);
  const change = { current: oneTime, password };
  await ask("PUT /v1/user/password", { headers: first, body: change });
  const headers = await signIn(ask, "platform", "system");
  const admin = { login: "astrid", name: "Astrid", emailAddress: "astrid@south.example" };
  const body = { id: "south", name: "South", admin };
  const { body: made } = await ask("POST /v1/tenants", { headers, body });
  return { headers, invitation: { token: String(made.admin.token) } };
}

const validTo = () => new Date(Date.now() + 90 * dayMs).toISOString();

async function handOutKeys(ask: Send, headers: Headers) {
  const path = "/v1/user/profile/api-keys";
  const create = async (name: string, more = {}) => {
    const body = { name, validTo: validTo(), ...more };
    const { body: key } = await ask(`POST ${path}`, { headers, body });
    return { apiKey: String(key.apiKey), apiKeyId: String(key.apiKeyId) };
  };
  const plain = await create("plain");
  const suspended = await create("suspended");
  await ask(`POST ${path}/${suspended.apiKeyId}/suspend`, { headers });
  const revoked = await create("revoked");
  await ask(`DELETE ${path}/${revoked.apiKeyId}`, { headers });
  const previous = await create("rotated");
  const { body: rotated } = await ask(`POST ${path}/${previous.apiKeyId}/rotate`, {
    headers,
    body: { overlap: "P2D" },
  });
  const restricted = await create("restricted", { permissions: ["user.read"] });
  const current = { apiKey: String(rotated.apiKey), apiKeyId: previous.apiKeyId };
  return { plain, suspended, revoked, previous, current, restricted };
}

async function handOutLinks(ask: Send, headers: Headers) {
  const invite = async (login: string) => {
    const roles = { roleIds: ["portal.users.mgmt"], sites: {} };
    const body = { login, name: login, emailAddress: `${login}@north.example`, roles };
    const { body: link } = await ask("POST /v1/user/invitations", { headers, body });
    return { id: String(link.id), token: String(link.token) };
  };
  const come = async ({ token }: { token: string }) =>
    void (await ask("POST /v1/user/invitations/accept", {
      headers: { "X-Service-Tenant": tenant },
      body: { token, password },
    }));
  const invitation = await invite("ingrid");
  const reset = await invite("rasmus");
  await come(reset);
  const person = await invite("petra");
  await come(person);
  const { body: link } = await ask(`POST /v1/user/${reset.id}/password-reset`, { headers });
  return {
    invitation: { login: "ingrid", ...invitation },
    reset: { login: "rasmus", id: reset.id, token: String(link.token) },
    person: { login: "petra", id: person.id, headers: await signIn(ask, tenant, "petra") },
  };
}

async function handOutToShoppers(ask: Send, staff: Headers) {
  const at = { "X-Service-Tenant": tenant, "X-Service-Site": site };
  const { body: anonymous } = await ask("POST /v1/customer/login/anonymous-token", { headers: at });
  const bearer = (token: string) => ({ ...at, Authorization: `Bearer ${token}` });
  const headers = bearer(anonymous.accessToken);
  const register = async (login: string) => {
    const body = { login, password, emailAddress: `${login}@shop.example` };
    const { body: profile } = await ask("POST /v1/customer/registration", { headers, body });
    return String(profile.id);
  };
  const id = await register("sigrid");
  const forgetful = await register("frode");
  const { body: pair } = await ask("POST /v1/customer/login/token", {
    headers,
    body: { login: "sigrid", password },
  });
  const { body: link } = await ask(`POST /v1/customers/${forgetful}/password-token`, {
    headers: { ...staff, "X-Service-Site": site },
  });
  return {
    id,
    login: "sigrid",
    anonymous: headers,
    signedIn: bearer(pair.accessToken),
    site: at,
    refreshToken: String(pair.refreshToken),
    passwordToken: { login: "frode", token: String(link.token) },
  };
}

/** Requests with an Idempotency-Key, and their responses: to be sent again. */
async function handOutIdempotentResponses(ask: Send, session: Headers) {
  const repeat = async (operation: string, body: object) => {
    const headers = { ...session, "Idempotency-Key": `before ${operation}`.replaceAll(" ", "-") };
    const { status, text, body: answered } = await ask(operation, { headers, body });
    return { operation, headers, body, status, text, id: String(answered.apiKeyId ?? "") };
  };
  return {
    site: await repeat("POST /v1/tenant/sites", { id: "later", name: "Later" }),
    key: await repeat("POST /v1/user/profile/api-keys", { name: "once", validTo: validTo() }),
  };
}

async function handOutPreviews(ask: Send, session: Headers) {
  const headers = { ...session, "X-Service-Site": site };
  const body = { key: "home", configuration: { title: "First" } };
  await ask("POST /pim/preview", { headers, body });
  const path = "/pim/preview/home/configuration";
  await ask(`PUT ${path}`, { headers, body: { title: "Second", blocks: [1.0, "ä"] } });
  const read = await ask(`GET ${path}`, { headers });
  return { path, headers, text: read.text, etag: read.headers.get("etag") ?? "" };
}

async function handOutMetrics(ask: Send, headers: Headers) {
  const time = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 600_000).toISOString();
  const cell = {
    time,
    domain: "orders",
    endpoint: "/orders",
    method: "GET",
    status: 200,
    count: 7,
  };
  const batch = { batchId: "batch-1", cells: [cell] };
  const { status } = await ask("POST /v1/api-metrics/events", { headers, body: batch });
  return { headers, batch, status, calls: cell.count };
}

/** Fills an empty store over the API of the release that serves it, and returns what the release issued. */
export async function handOut({ send, systemPassword, sealCookie }: Given) {
  const ask = makeAsk(send);
  const support = await handOutBySupport(ask, systemPassword);
  const admin = { login: "anna", name: "Anna", emailAddress: "anna@north.example" };
  await ask("POST /v1/signup", { body: { tenant, site, ...admin, password } });
  const headers = await signIn(ask, tenant, admin.login);
  const { body: bearer } = await ask("POST /v1/user/portal-token", { headers });
  const keys = await handOutKeys(ask, headers);
  const byKey = { "X-Service-Tenant": tenant, "X-Service-API-Key": keys.plain.apiKey };
  const handedOut = {
    tenant,
    password,
    support,
    admin: { login: admin.login, headers },
    bearer: { "X-Service-Tenant": tenant, Authorization: `Bearer ${bearer.accessToken}` },
    cookie: await sealCookie(tenant, headers["X-Service-Session-Id"] ?? ""),
    keys,
    links: await handOutLinks(ask, headers),
    shopper: await handOutToShoppers(ask, headers),
    idempotent: await handOutIdempotentResponses(ask, headers),
    preview: await handOutPreviews(ask, headers),
    metrics: await handOutMetrics(ask, byKey),
  };
  const { body: trail } = await ask("GET /v1/audit/events?limit=100", { headers });
  return { ...handedOut, trail: trail.length as number };
}
