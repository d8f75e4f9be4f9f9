import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { issueManagementBearer } from "@/lib/access/management-bearer";
import { sealSessions } from "@/lib/access/portal-cookie";
import { roleIds } from "@/lib/access/roles";
import { newId } from "@/lib/database/ids";
import { db, transaction } from "@/lib/database/open";
import { auditEvents, refusedRequests, sites, tenants } from "@/lib/database/schema/schema";
import { insertCustomer } from "@/lib/features/customers/registration";
import { openShop } from "@/lib/features/customers/testing/shop";
import type { Send } from "@/lib/http/testing/test-server";
import { emptyDetails } from "@/lib/protocol/documents/customer-profile";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

/** A tenant with one of everything. Its canary is in every object and in no id. */
export interface IsolationWorld {
  tenant: string;
  canary: string;
  site: string;
  userId: string;
  login: string;
  sessionRef: string;
  apiKeyId: string;
  previewKey: string;
  customerId: string;
  customerLogin: string;
  refusalId: string;
  eventId: string;
  webhookId: string;
  connectionId: string;
  streamId: string;
  releaseId: string;
  alertId: string;
  viewId: string;
  markerId: string;
  shareId: string;
  commentId: string;
  importId: string;
  adminId: string;
  adminHeaders: Headers;
}

async function createPreview(send: Send, headers: Headers, body: object): Promise<void> {
  const preview = await send("POST /pim/preview", { headers, body });
  expect(preview.status, preview.text).toBe(201);
}

async function createCustomer(tenantId: string, login: string, name: string): Promise<string> {
  const details = { ...emptyDetails, name: { first: name, last: name } };
  const customer = { tenantId, siteIds: ["one"], login, passwordHash: "", details };
  return (await transaction((tx) => insertCustomer(tx, customer))) ?? "";
}

/** An administrator, who sends requests, and another user, the target of searches, with a session and an API key. */
async function createPeople(tenant: string, mark: string, canary: string) {
  const named = { name: canary, row: { emailAddress: `${canary}@example.com` } };
  const admin = await makeUser(tenant, { ...named, roleIds: [...roleIds] });
  const login = `target-${mark}`;
  const target = await makeUser(tenant, {
    ...named,
    login,
    roleIds: ["portal.configurations.mgmt"],
  });
  const { sessionRef } = await makeSession(tenant, target.userId, { agent: canary });
  const { apiKeyId } = await makeApiKey(tenant, target.userId, { name: canary, nameKey: canary });
  const keyName = `${canary} admin`;
  const adminKey = await makeApiKey(tenant, admin.userId, { name: keyName, nameKey: keyName });
  return {
    adminId: admin.userId,
    adminHeaders: adminKey.headers,
    userId: target.userId,
    login: target.login,
    sessionRef,
    apiKeyId,
  };
}

async function invite(send: Send, headers: Headers, mark: string, canary: string): Promise<void> {
  const body = {
    login: `invited-${mark}`,
    name: canary,
    emailAddress: `${canary}@example.com`,
    roles: { tenant: [], sites: {} },
  };
  await send("POST /v1/user/invitations", { headers, body });
}

async function createWebhook(send: Send, headers: Headers, canary: string): Promise<string> {
  const body = { url: `https://${canary}.example/`, types: ["*"], description: canary };
  const webhook = await send("POST /v1/webhooks", { headers, body });
  expect(webhook.status, webhook.text).toBe(201);
  return webhook.body.id;
}

async function createConnection(send: Send, headers: Headers, canary: string): Promise<string> {
  const client = { clientId: canary, clientSecret: canary };
  const body = { name: canary, issuer: `https://${canary}.example`, ...client };
  const connection = await send("POST /v1/tenant/connections", { headers, body });
  expect(connection.status, connection.text).toBe(201);
  return connection.body.id;
}

async function createStream(send: Send, headers: Headers, canary: string): Promise<string> {
  const body = { kind: "https", url: `https://${canary}.example/`, description: canary };
  const stream = await send("POST /v1/audit/streams", { headers, body });
  expect(stream.status, stream.text).toBe(201);
  return stream.body.id;
}

async function createRelease(send: Send, headers: Headers, name: string, key: string) {
  const release = await send("POST /pim/releases", { headers, body: { name, entries: [{ key }] } });
  expect(release.status, release.text).toBe(201);
  return release.body.id as string;
}

async function createAlert(send: Send, headers: Headers, canary: string): Promise<string> {
  const body = { name: canary, measure: "calls", threshold: 1, window: "PT1H" };
  const alert = await send("POST /v1/alerts", { headers, body });
  expect(alert.status, alert.text).toBe(201);
  return alert.body.id;
}

async function createView(send: Send, headers: Headers, name: string): Promise<string> {
  const body = { page: "users", name, query: `q=${name}`, shared: true };
  const view = await send("POST /v1/views", { headers, body });
  expect(view.status, view.text).toBe(201);
  return view.body.id;
}

async function createMarker(send: Send, headers: Headers, title: string): Promise<string> {
  const body = { at: new Date().toISOString(), title, kind: "note" };
  const marker = await send("POST /v1/api-metrics/markers", { headers, body });
  expect(marker.status, marker.text).toBe(201);
  return marker.body.id;
}

/** A share and a comment of the configuration. */
async function createTalk(send: Send, headers: Headers, text: string, key: string) {
  const validTo = new Date(Date.now() + 3_600_000).toISOString();
  const body = { validTo, comment: text };
  const share = await send(`POST /pim/preview/${key}/shares`, { headers, body });
  expect(share.status, share.text).toBe(201);
  const comment = await send(`POST /pim/preview/${key}/comments`, { headers, body: { text } });
  expect(comment.status, comment.text).toBe(201);
  return { shareId: share.body.id as string, commentId: comment.body.id as string };
}

/** An import that has ended: another one can be created. */
async function createImport(send: Send, headers: Headers, canary: string): Promise<string> {
  const raw = `${JSON.stringify({ login: canary })}\n`;
  const type = { "Content-Type": "application/x-ndjson" };
  const created = await send("POST /v1/customers/imports", {
    headers: { ...headers, ...type },
    raw,
  });
  expect(created.status, created.text).toBe(202);
  const cancelled = await send(`POST /v1/customers/imports/${created.body.id}/cancel`, { headers });
  expect(cancelled.status, cancelled.text).toBe(200);
  return created.body.id;
}

export async function makeIsolationWorld(send: Send): Promise<IsolationWorld> {
  const mark = randomBytes(5).toString("hex");
  const canary = `canary${randomBytes(6).toString("hex")}`;
  const site = `site-${mark}`;
  const tenant = await makeTenant({ siteIds: ["one", site] });
  await db().update(tenants).set({ name: canary }).where(eq(tenants.tenantId, tenant));
  await db().update(sites).set({ name: canary }).where(eq(sites.tenantId, tenant));
  const people = await createPeople(tenant, mark, canary);
  const session = await makeSession(tenant, people.adminId);
  const headers = { ...session.headers, "X-Service-Site": "one" };
  const previewKey = `preview-${mark}`;
  const configuration = { title: canary, enabled: true };
  await createPreview(send, headers, { key: previewKey, configuration });
  const customerLogin = `shopper-${mark}`;
  const customerId = await createCustomer(tenant, customerLogin, canary);
  await invite(send, headers, mark, canary);
  const webhookId = await createWebhook(send, headers, canary);
  const connectionId = await createConnection(send, headers, canary);
  const streamId = await createStream(send, headers, canary);
  const releaseId = await createRelease(send, headers, canary, previewKey);
  const alertId = await createAlert(send, headers, canary);
  const viewId = await createView(send, headers, canary);
  const markerId = await createMarker(send, headers, canary);
  const talk = await createTalk(send, headers, canary, previewKey);
  const importId = await createImport(send, headers, canary);
  const refusalId = await createRejectedRequest(tenant, canary);
  const [entry] = await db()
    .select({ id: auditEvents.auditId })
    .from(auditEvents)
    .where(eq(auditEvents.tenantId, tenant));
  const eventId = (entry?.id ?? "").replace("aud_", "evt_");
  const created = { previewKey, customerId, customerLogin, refusalId, eventId };
  const ids = {
    webhookId,
    connectionId,
    streamId,
    releaseId,
    alertId,
    viewId,
    markerId,
    importId,
    ...talk,
  };
  return { tenant, canary, site, ...people, ...created, ...ids };
}

async function createRejectedRequest(tenantId: string, canary: string): Promise<string> {
  const refusalId = newId("req");
  const row = {
    tenantId,
    refusalId,
    requestId: canary,
    method: "GET",
    path: `/v1/${canary}`,
    status: 404,
    code: "resource.unknown",
  };
  await db()
    .insert(refusedRequests)
    .values({ ...row, occurredAt: new Date(), address: canary, agent: canary, durationMs: 1 });
  return refusalId;
}

/** The headers of every kind of caller of one tenant; the portal's cookie claims the same session for the other tenant too. */
export async function credentialsOf(
  send: Send,
  world: IsolationWorld,
  otherTenant: string,
): Promise<Record<string, Headers>> {
  const { tenant, adminId: userId } = world;
  const { sessionId, sessionRef: credentialId } = await makeSession(tenant, userId);
  const { accessToken } = await issueManagementBearer({ tenantId: tenant, userId, credentialId });
  const sessions = new Map([tenant, otherTenant].map((one) => [one, sessionId]));
  const shop = await openShop(send, { tenant });
  const { login } = await shop.customer();
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  return {
    session: { "X-Service-Session-Id": sessionId },
    apiKey: world.adminHeaders,
    bearer: bearer(accessToken),
    cookie: { Cookie: `next-auth.session-token=${await sealSessions(sessions, 3600)}` },
    customer: bearer((await shop.enter(login)).accessToken),
    anonymous: bearer(await shop.anonymous()),
    none: {},
  };
}
