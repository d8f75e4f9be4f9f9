import { randomBytes } from "node:crypto";

/** A tenant of a drill, and the credentials of its callers. */
export interface DrillTenant {
  tenant: string;
  site: string;
  login: string;
  password: string;
  sessionId: string;
  apiKey: string;
}

export interface Answer {
  /** 0 without a response. */
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

interface Asking {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The settings of the instances in a drill, without the store. */
export const drillSettings = {
  SIGN_UP: "on",
  RATE_LIMITS: "off",
  LOGIN_THROTTLE: "off",
} as const;

export async function ask(
  url: string,
  { method, path, headers = {}, body }: Asking,
): Promise<Answer> {
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: body === undefined ? headers : { "Content-Type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : {},
    };
  } catch {
    return { status: 0, headers: new Headers(), body: {} };
  }
}

export const withSession = ({ tenant, sessionId }: DrillTenant) => ({
  "X-Service-Tenant": tenant,
  "X-Service-Session-Id": sessionId,
});

export const withKey = ({ tenant, apiKey }: DrillTenant) => ({
  "X-Service-Tenant": tenant,
  "X-Service-API-Key": apiKey,
});

export const signIn = (url: string, { tenant, login, password }: DrillTenant): Promise<Answer> =>
  ask(url, {
    method: "POST",
    path: "/v1/user/session-login",
    headers: { "X-Service-Tenant": tenant },
    body: { tenant, login, password },
  });

/** A body that creates an API key of this name, valid for a day. */
export const newKey = (name: string) => ({
  name,
  validTo: new Date(Date.now() + 86_400_000).toISOString(),
});

async function must(work: Promise<Answer>): Promise<Answer> {
  const answer = await work;
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw new Error(`The drill's tenants cannot be made: ${JSON.stringify(answer)}`);
}

async function makeTenant(url: string, name: string): Promise<DrillTenant> {
  const password = randomBytes(18).toString("base64url");
  const made = { tenant: name, site: "main", login: "admin", password, sessionId: "", apiKey: "" };
  const { tenant, site, login } = made;
  const body = { tenant, site, login, password, name: "Drill", emailAddress: "d@example.com" };
  await must(ask(url, { method: "POST", path: "/v1/signup", body }));
  made.sessionId = String((await must(signIn(url, made))).body.sessionId);
  const created = await must(
    ask(url, {
      method: "POST",
      path: "/v1/user/profile/api-keys",
      headers: withSession(made),
      body: newKey("drill"),
    }),
  );
  made.apiKey = String(created.body.apiKey);
  const preview = { key: "home", configuration: { n: 0 } };
  const headers = { ...withSession(made), "X-Service-Site": site };
  await must(ask(url, { method: "POST", path: "/pim/preview", headers, body: preview }));
  return made;
}

/** Creates tenants through the API, one after the other. */
export async function makeTenants(url: string, count: number): Promise<DrillTenant[]> {
  const mark = randomBytes(3).toString("hex");
  const made: DrillTenant[] = [];
  while (made.length < count) made.push(await makeTenant(url, `drill-${mark}-${made.length}`));
  return made;
}
