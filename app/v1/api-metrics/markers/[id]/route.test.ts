import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, chartMarkers } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
let tenant: string;
let admin: Headers;

async function personWith(...roleIds: string[]) {
  const { userId } = await makeUser(tenant, { roleIds });
  return { userId, headers: (await makeSession(tenant, userId)).headers };
}

beforeEach(async () => {
  tenant = await makeTenant();
  admin = (await personWith("tenant.admin")).headers;
});

async function report(headers: Headers, kind = "note"): Promise<string> {
  const body = { at: new Date().toISOString(), title: "Payment provider was down", kind };
  const answer = await send("POST /v1/api-metrics/markers", { headers, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

const remove = (id: string, headers: Headers) =>
  send(`DELETE /v1/api-metrics/markers/${id}`, { headers });
const idsOf = async (headers: Headers) =>
  (await send("GET /v1/api-metrics/markers", { headers })).body
    .filter(({ source }: { source: string }) => source === "reported")
    .map(({ id }: { id: string }) => id);
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [
  status,
  body.code,
];

test("204: users with the permission to write metrics remove any; the audit trail has its id, not its text", async () => {
  const { headers } = await personWith("tenant.admin");
  const [note, deploy] = [await report(headers), await report(headers, "deploy")];
  expect((await remove(note, admin)).status).toBe(204);
  expect(await idsOf(admin)).toEqual([deploy]);
  const entries = await db().select().from(auditEvents).where(eq(auditEvents.tenantId, tenant));
  const entry = entries.find(({ action }) => action === "marker.deleted");
  expect(entry?.target).toEqual({ type: "marker", id: note });
  expect(entry?.changes).toMatchObject({ kind: { before: "note" } });
  expect(JSON.stringify(entry)).not.toContain("Payment");
});

test("204: authors remove their own, also without the permission to write", async () => {
  const { userId, headers } = await personWith("portal.analytics.mgmt");
  const [at, markerId] = [new Date(), "mark_own"];
  const said = { title: "Payment provider was down", kind: "note", login: "ada" };
  await db()
    .insert(chartMarkers)
    .values({ tenantId: tenant, markerId, at, userId, ...said });
  expect(await idsOf(headers)).toEqual([markerId]);
  expect((await remove(markerId, headers)).status).toBe(204);
  expect(await idsOf(admin)).toEqual([]);
});

test("403 for a reader who did not report it, and for the author's key that has only the read permission", async () => {
  const id = await report(admin);
  const reader = await personWith("portal.analytics.mgmt");
  expect(codeOf(await remove(id, reader.headers))).toEqual([403, "marker.of-other"]);
  const row = { kind: "service" } as const;
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"], row });
  const keyFor = async (...permissions: ("api-metric.read" | "api-metric.write")[]) =>
    (await makeApiKey(tenant, userId, { permissions })).headers;
  const own = await report(await keyFor("api-metric.write"));
  const forReading = await keyFor("api-metric.read");
  expect(codeOf(await remove(own, forReading))).toEqual([403, "marker.of-other"]);
  const forBoth = await keyFor("api-metric.read", "api-metric.write");
  expect((await remove(own, forBoth)).status).toBe(204);
  expect(await idsOf(admin)).toEqual([id]);
});

test("404 for an unknown or foreign id, an id of the audit trail, and a removed marker", async () => {
  const id = await report(admin);
  const other = await makeTenant();
  const { userId } = await makeUser(other, { roleIds: ["tenant.admin"] });
  const foreign = (await makeSession(other, userId)).headers;
  expect(codeOf(await remove(id, foreign))).toEqual([404, "marker.not-found"]);
  expect((await remove(id, admin)).status).toBe(204);
  for (const gone of [id, "mark_unknown", "aud_unknown", "x".repeat(500)])
    expect(codeOf(await remove(gone, admin)), gone).toEqual([404, "marker.not-found"]);
});
