import type { World } from "@/bench/seed";

/** A request that is measured at each size of the tenant. */
export interface Question {
  name: string;
  method?: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body?: unknown;
  /** The response grows with the tenant. */
  isWhole?: boolean;
}

const cursorAfter = (...values: string[]) =>
  Buffer.from(JSON.stringify(values)).toString("base64url");
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

type Headers = Record<string, string>;

const get = (name: string, path: string, headers: Headers): Question => ({ name, path, headers });

function aboutUsers(key: Headers): Question[] {
  const users = (name: string, query: string) =>
    get(`users, ${name}`, `/v1/user/list?limit=50&${query}`, key);
  return [
    users("by login", "sort=login"),
    users("by name", "sort=name"),
    users("by name, from the end", "sort=-name"),
    users("by e-mail address", "sort=emailAddress"),
    users("newest first", "sort=-registrationDate"),
    users("a part of a name", "q=hansen"),
    users("three letters", "q=ans"),
    users("two letters", "q=an"),
    users("best match", "q=hansen&sort=match"),
    users("nobody", "q=nobody%20at%20all"),
    users("a role", "role=portal.catalog.mgmt"),
    users("a site's role, by name", "site=eu&role=portal.order.mgmt&sort=name"),
    users("the locked", "lock=true"),
    users("the locked of a name", "lock=true&q=hansen"),
    users("deep", `sort=login&cursor=${cursorAfter("mats.m", "user_")}`),
    { ...get("users, all", "/v1/user/list", key), isWhole: true },
  ];
}

function aboutCustomers(atSite: Headers, count: number): Question[] {
  const customers = (name: string, query: string) =>
    get(`customers, ${name}`, `/v1/customers?limit=50&${query}`, atSite);
  const middle = cursorAfter(`cust_${String(Math.ceil(count / 2)).padStart(26, "0")}`);
  return [
    customers("newest", ""),
    customers("one by login", "login=shopper-77"),
    customers("nobody", "q=nobody"),
    customers("the locked", "lock=true"),
    customers("deep", `cursor=${middle}`),
  ];
}

function aboutTheTrail(key: Headers): Question[] {
  const trail = (name: string, query: string) =>
    get(`trail, ${name}`, `/v1/audit/events?limit=50&${query}`, key);
  return [
    trail("newest", ""),
    trail("an action without entries", "action=site.created"),
    trail("an action of one entry", "action=tenant.created"),
    trail("an actor without entries", "actor=nobody"),
    trail("a target", "target=cust_00000000000000000000000777"),
    trail("to 58 days ago", `to=${ago(58)}`),
    trail("a day, 30 days ago", `from=${ago(31)}&to=${ago(30)}`),
    { ...get("trail, exported", "/v1/audit/export", key), isWhole: true },
    get("events, from the start", "/v1/events?limit=50", key),
    get("events, of a rare type", "/v1/events?limit=50&type=webhook.created", key),
  ];
}

function signIns({ tenant, site, login, password, shopper }: World): Question[] {
  const here = { "X-Service-Tenant": tenant };
  const shop = { ...here, "X-Service-Site": site };
  return [
    {
      ...{ name: "sign-in of a user", method: "POST", path: "/v1/user/session-login" },
      ...{ headers: here, body: { login, tenant, password } },
    },
    {
      ...{ name: "sign-in of a customer", method: "POST", path: "/v1/customer/login/token" },
      headers: { ...shop, Authorization: `Bearer ${shopper.anonymousToken}` },
      body: { login: shopper.login, password: shopper.password },
    },
  ];
}

export function questionsOf(world: World, customers: number): Question[] {
  const { tenant, site, apiKey, sessionId } = world;
  const key = { "X-Service-Tenant": tenant, "X-Service-API-Key": apiKey };
  const session = { "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
  const atSite = { ...key, "X-Service-Site": site };
  const range = `from=${ago(1)}&to=${ago(0)}`;
  const counts = `/v1/api-metrics/metrics/timeserie-counts?${range}&group=apiKey&group=user&group=site`;
  return [
    ...aboutUsers(key),
    ...aboutCustomers(atSite, customers),
    ...aboutTheTrail(key),
    ...signIns(world),
    get("previews", "/pim/preview?limit=50", atSite),
    get("revisions of a preview", "/pim/preview/size-1/revisions?limit=50", atSite),
    get("a revision", "/pim/preview/size-1/revisions/50", atSite),
    get("session by key", "/v1/user/session", key),
    get("own profile", "/v1/user/profile", session),
    get("who holds a permission", "/v1/access/holders?permission=user.read&limit=50", key),
    get("quotas", "/v1/tenant/quotas", key),
    get("notices", "/v1/user/notices", session),
    get("metrics: what there is", "/v1/api-metrics/metadata", session),
    get("metrics: by three groups", counts, session),
    get("readiness", "/readyz", {}),
  ];
}

/** Pages of the portal with tables and pickers. */
export const pages = (tenant: string, site: string): string[] =>
  [
    ...["", "/users", "/users?q=hansen&sort=match", "/users?sort=-registrationDate", "/audit"],
    ...["/audit?action=user.*", "/access-review", "/keys", "/settings", "/metrics", "/requests"],
    ...["/webhooks", "/alerts", "/notices", `/sites/${site}/customers`, `/sites/${site}/previews`],
    ...[`/sites/${site}/previews/size-1/history`, `/sites/${site}/releases`],
  ].map((path) => `/t/${tenant}${path}`);
