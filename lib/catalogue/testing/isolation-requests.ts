import { getTableColumns, getTableName, is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { db } from "@/lib/database/open";
import * as schema from "@/lib/database/schema/schema";
import type { IsolationWorld } from "./isolation-world";
import { type DeclaredOperation, omitted, type Schema, sampleMaker } from "./sample-bodies";

export interface Operation {
  /** "METHOD /path/{parameter}" */
  name: string;
  declared: DeclaredOperation;
}

export interface SampleRequest {
  path: string;
  /** Absent if the operation has none. */
  type: string | undefined;
  body: unknown;
}

export function pathOf(template: string, world: IsolationWorld): string {
  const ids: [string, string][] = [
    ["/v1/requests", world.refusalId],
    ["/v1/customers/imports", world.importId],
    ["/v1/customers", world.customerId],
    ["/v1/tenant/sites", world.site],
    ["/v1/tenant/connections", world.connectionId],
    ["/v1/tenants", world.tenant],
    ["/v1/webhooks", world.webhookId],
    ["/v1/audit/streams", world.streamId],
    ["/pim/releases", world.releaseId],
    ["/v1/alerts", world.alertId],
    ["/v1/views", world.viewId],
    ["/v1/api-metrics/markers", world.markerId],
    ["/v1/user", world.userId],
  ];
  const { previewKey: key, sessionRef: ref, apiKeyId, site } = world;
  const values: Record<string, string> = { key, ref, apiKeyId, site, n: "1" };
  const parts: [string, string][] = [
    ["/shares/{id}", world.shareId],
    ["/comments/{id}", world.commentId],
  ];
  const part = parts.find(([end]) => template.endsWith(end))?.[1];
  const id = part ?? ids.find(([prefix]) => template.startsWith(prefix))?.[1] ?? "x";
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? id);
}

/** Bodies that cannot be derived from the schema. */
const bodies: Record<string, unknown> = {
  "PATCH /v1/customer/profile": { name: { first: "x" } },
  "PATCH /v1/customers/{id}": { name: { first: "x" } },
  "POST /v1/customers": { login: "created", name: { first: "x" } },
  "POST /v1/views": { page: "users", name: "x", query: "lock=true" },
  "PATCH /v1/views/{id}": { query: "lock=true" },
  "POST /v1/tenant/connections": {
    ...{ name: "x", issuer: "https://login.example", clientId: "x", clientSecret: "x" },
  },
  "PATCH /v1/tenant/connections/{id}": { name: "x" },
  "POST /v1/audit/streams": { kind: "https", url: "https://hooks.example/" },
  "PATCH /v1/audit/streams/{id}": { url: "https://hooks.example/" },
};

const password = "a longer secret text 4711";
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

/** The value for each body property and query parameter, by name. */
function valuesOf(name: string, world: IsolationWorld): Record<string, unknown> {
  const { userId, apiKeyId, site, tenant, customerId, login, eventId, previewKey } = world;
  const newIds: Record<string, string> = {
    "/v1/tenant/sites": "new-site",
    "/v1/tenants": "new-tenant",
  };
  const id = newIds[name.slice(name.indexOf(" ") + 1)] ?? customerId;
  const person = { owner: userId, user: userId, userId, actor: userId, target: userId };
  const place = { site, siteId: site, sites: site, siteIds: site, tenant };
  const now = inMs(0);
  const times = {
    at: inMs(86_400_000),
    until: inMs(2 * 86_400_000),
    from: inMs(-86_400_000),
    to: now,
    time: now,
    lastUsedAt: now,
    validTo: inMs(86_400_000),
  };
  const texts = {
    pointer: "/title",
    ...{ timeZone: "Europe/Berlin", locale: "en-GB", locales: "en", birthDate: "1990-01-01" },
    ...{ allowedOrigins: "https://shop.example", operation: "GET /v1/user/list" },
    ...{ apiKeyMaximumAge: "P30D", refreshGrace: "PT10S", group: "endpoint", method: "GET" },
  };
  return {
    ...person,
    ...place,
    ...times,
    ...texts,
    version: omitted,
    ...{ id, apiKey: apiKeyId, customerId, login, q: login, key: previewKey, after: eventId },
    apiKeyId: name.endsWith("/explain") ? omitted : apiKeyId,
    ...(name.endsWith("/explain") && { permission: omitted }),
    ...(name.endsWith("/verify") && { sessionId: omitted, token: omitted }),
    address: "192.0.2.1",
    ...{ url: "https://hooks.example/", type: "user.*", types: "user.*" },
    allowedAddresses: "192.0.2.0/24",
    password,
    ...{ code: name.endsWith("/step-up") ? omitted : "123456", recoveryCode: omitted },
    passkey: /\/(?:step-up|second-factor)$/.test(name) ? omitted : undefined,
    configuration: { title: "sample" },
    roles: { tenant: [], sites: { [site]: ["portal.users.mgmt"] } },
  };
}

/** Creates values for an operation's input, with ids of the world and valid texts. */
export function makerOf(name: string, world: IsolationWorld, components: Record<string, Schema>) {
  const values = valuesOf(name, world);
  return sampleMaker(components, (property) => values[property]);
}

/** Requests to an operation: its path with one tenant's ids, and each way to put ids into query and body. */
export function sampleRequests(
  { name, declared }: Operation,
  inPath: IsolationWorld,
  elsewhere: IsolationWorld,
  components: Record<string, Schema>,
): SampleRequest[] {
  const values = valuesOf(name, elsewhere);
  const make = sampleMaker(components, (property) => values[property]);
  const parameters = (declared.parameters ?? []).filter((one) => one.in === "query");
  type Parameter = (typeof parameters)[number];
  const pairOf = ({ name, schema }: Parameter) => [name, String(values[name] ?? make(schema))];
  const base = parameters.filter((one) => one.required || one.name === "group").map(pairOf);
  const isId = (one: Parameter) => !one.required && values[one.name] !== undefined;
  const more = parameters.filter(isId).map((one) => [...base, pairOf(one)]);
  const [type, content] = Object.entries(declared.requestBody?.content ?? {})[0] ?? [];
  const path = pathOf(name.slice(name.indexOf(" ") + 1), inPath);
  return [base, ...more].map((pairs) => ({
    path: `${path}?${new URLSearchParams(pairs)}`,
    type,
    body: bodies[name] ?? (content && make(content.schema)),
  }));
}

const volatile = new Set([
  ...["last_seen_at", "last_used_at", "last_used_ip", "last_used_operation"],
  ...["audit_seq", "audit_head", "audit_mac", "audit_at", "audit_signed_seq"],
]);
const unwatched = ["refused_requests", "idempotent_answers", "audit_heads"];

/** All rows of the tenant except records of requests: rejected ones and failed sign-ins. */
export async function rowsOf(tenant: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of Object.values(schema).filter((entry) => is(entry, PgTable))) {
    const name = getTableName(table);
    const isCounted = unwatched.includes(name) || name.startsWith("metric_");
    if (isCounted || !("tenantId" in getTableColumns(table))) continue;
    const { rows } = await db().execute<{ row: Record<string, unknown> }>(
      sql`select to_jsonb(t) as row from ${sql.identifier(name)} t where t.tenant_id = ${tenant}`,
    );
    const kept = rows.filter(({ row }) => row.action !== "session.login-failed");
    const steady = ({ row }: (typeof rows)[number]) =>
      Object.entries(row).filter(([column]) => !volatile.has(column));
    found[name] = kept.map((one) => JSON.stringify(steady(one))).toSorted();
  }
  return found;
}
