import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, chartMarkers } from "@/lib/database/schema/schema";
import { maxMarkers } from "@/lib/features/metrics/markers/rows";
import { testServer } from "@/lib/http/testing/test-server";
import { cleanTenant } from "@/lib/setup/cleaning";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
const dayMs = 86_400_000;
const service = { kind: "service" } as const;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

let tenant: string;
let writer: Headers;

async function sessionWith(roleIds: string[], of = tenant) {
  return (await makeSession(of, (await makeUser(of, { roleIds })).userId)).headers;
}

beforeAll(async () => {
  tenant = await makeTenant();
  writer = await sessionWith(["tenant.admin"]);
});

const deploy = (more: object = {}) => ({
  at: minutesAgo(5),
  title: "Storefront 4.2",
  kind: "deploy",
  ...more,
});

async function report(body: object, headers = writer) {
  const answer = await send("POST /v1/api-metrics/markers", { headers, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** All pages of a list, a few at a time. */
async function listed(headers: Headers, query = "", limit = 200) {
  const items: Record<string, string>[] = [];
  for (let path = `/v1/api-metrics/markers?limit=${limit}${query}`; ; ) {
    const { status, body, headers: got, text } = await send(`GET ${path}`, { headers });
    expect(status, text).toBe(200);
    items.push(...body);
    const next = /<([^>]+)>; rel="next"/.exec(got.get("link") ?? "")?.[1];
    if (next === undefined) return items;
    path = next;
  }
}

describe("201", () => {
  test("a deploy is reported once and listed with its text; the audit trail names who reported it", async () => {
    const of = await makeTenant();
    const { userId, login } = await makeUser(of, { roleIds: ["tenant.admin"] });
    const { headers } = await makeSession(of, userId);
    const url = "https://ci.example/builds/42";
    const at = minutesAgo(3);
    const made = await report(deploy({ at, url }), headers);
    expect(made).toEqual({
      id: expect.stringMatching(/^mark_/),
      at,
      until: null,
      title: "Storefront 4.2",
      kind: "deploy",
      url,
      source: "reported",
      author: { id: userId, login },
    });
    expect(await listed(headers)).toEqual([made]);
    const [entry, ...others] = await db()
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.tenantId, of))
      .orderBy(auditEvents.seq);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      action: "marker.created",
      target: { type: "marker", id: made.id, name: "Storefront 4.2" },
      changes: { at: { after: at }, kind: { after: "deploy" } },
    });
  });

  test("a note has up to 200 characters, and the audit trail does not contain it", async () => {
    const of = await makeTenant();
    const headers = await sessionWith(["tenant.admin"], of);
    const title = "é".repeat(200);
    const { id } = await report(deploy({ kind: "note", title }), headers);
    expect(await listed(headers)).toMatchObject([{ id, title }]);
    const [entry] = await db().select().from(auditEvents).where(eq(auditEvents.tenantId, of));
    expect(entry?.target).toEqual({ type: "marker", id });
    expect(JSON.stringify(entry)).not.toContain("éé");
  });

  test("requests with the same Idempotency-Key report one marker", async () => {
    const of = await makeTenant();
    const headers = await sessionWith(["tenant.admin"], of);
    const once = { ...headers, "Idempotency-Key": "deploy-42" };
    const body = deploy();
    expect(await report(body, once)).toEqual(await report(body, once));
    expect(await listed(headers)).toHaveLength(1);
  });

  test("a program reports with a key that has the permission", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.data-feed.mgmt"], row: service });
    const { headers } = await makeApiKey(tenant, userId, { permissions: ["api-metric.write"] });
    await report(deploy({ kind: "by-program" }), headers);
    expect(await listed(headers, "&kind=by-program")).toHaveLength(1);
  });

  test("a tenant keeps the newest reported markers", async () => {
    const of = await makeTenant();
    const headers = await sessionWith(["tenant.admin"], of);
    const many = Array.from({ length: maxMarkers }, (_, index) => ({
      tenantId: of,
      markerId: `mark_${String(index).padStart(6, "0")}`,
      at: new Date(Date.now() - index * 60_000),
      title: "earlier",
      kind: "deploy",
    }));
    await db().insert(chartMarkers).values(many);
    const { id } = await report(
      deploy({ at: new Date(Date.now() - 300 * dayMs).toISOString() }),
      headers,
    );
    const left = await db().select().from(chartMarkers).where(eq(chartMarkers.tenantId, of));
    const ids = new Set(left.map(({ markerId }) => markerId));
    expect(ids.size).toBe(maxMarkers);
    expect([ids.has(id), ids.has("mark_000000"), ids.has("mark_000001")]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe("200", () => {
  test("a range and a kind, newest first by the time of the event, page by page", async () => {
    const of = await makeTenant();
    const headers = await sessionWith(["tenant.admin"], of);
    const same = minutesAgo(20);
    for (const [kind, at] of [
      ["deploy", minutesAgo(30)],
      ["campaign", same],
      ["deploy", same],
      ["deploy", same],
      ["deploy", minutesAgo(10)],
    ] as const)
      await report(deploy({ kind, at }), headers);
    const all = await listed(headers);
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
    for (const limit of [1, 2, 3]) expect(await listed(headers, "", limit)).toEqual(all);
    expect(await listed(headers, "&kind=campaign")).toHaveLength(1);
    expect(await listed(headers, `&from=${same}&to=${minutesAgo(15)}`)).toHaveLength(3);
    expect(await listed(headers, `&to=${same}`)).toHaveLength(1);
  });

  test("a range includes markers that started before it and lasted into it, page by page too", async () => {
    const of = await makeTenant();
    const headers = await sessionWith(["tenant.admin"], of);
    const [day, hour] = [minutesAgo(24 * 60), minutesAgo(60)];
    const made = [
      await report(deploy({ at: minutesAgo(30 * 24 * 60), until: minutesAgo(30) }), headers),
      await report(deploy({ at: day, until: minutesAgo(61) }), headers),
      await report(deploy({ at: day }), headers),
      await report(deploy({ at: minutesAgo(40), until: minutesAgo(5) }), headers),
    ];
    expect(made[0]?.until).not.toBeNull();
    for (const limit of [1, 200])
      expect((await listed(headers, `&from=${hour}`, limit)).map(({ id }) => id)).toEqual([
        made[3]?.id,
        made[0]?.id,
      ]);
    expect(await listed(headers)).toHaveLength(4);
  });

  test("changed keys and previews are read from the audit trail, with object and time but without the user", async () => {
    const of = await makeTenant();
    const { userId } = await makeUser(of, { roleIds: ["tenant.admin"] });
    const { headers } = await makeSession(of, userId);
    // The trail has the database's time, which this process knows to some milliseconds only.
    const from = minutesAgo(1);
    const validTo = new Date(Date.now() + dayMs).toISOString();
    const key = { name: "ci-eu", validTo };
    const { apiKeyId } = (await send("POST /v1/user/profile/api-keys", { headers, body: key }))
      .body;
    const [created] = await listed(headers, `&from=${from}`);
    const justAfter = new Date(Date.parse(created?.at ?? "") + 1);
    await report(deploy({ at: justAfter.toISOString() }), headers);
    const path = `/v1/user/profile/api-keys/${apiKeyId}`;
    await send(`POST ${path}/rotate`, { headers, body: {} });
    const atSite = { ...headers, "X-Service-Site": "one" };
    const preview = { key: "home", configuration: {} };
    await send("POST /pim/preview", { headers: atSite, body: preview });
    const release = { name: "Sale", entries: [{ key: "home", version: 1 }] };
    const { id } = (await send("POST /pim/releases", { headers: atSite, body: release })).body;
    await send(`POST /pim/releases/${id}/publish`, { headers: atSite, body: {} });
    await send(`DELETE ${path}`, { headers });
    const all = await listed(headers, `&from=${from}`);
    const titles = all.map(({ kind, title, source }) => `${source} ${kind}: ${title}`);
    expect(titles.toReversed()).toEqual([
      "trail api-key: API key ci-eu created",
      "reported deploy: Storefront 4.2",
      "trail api-key: API key ci-eu rotated",
      "trail preview: Preview one/home created",
      "trail preview: Preview one/home updated",
      "trail preview: Release one/Sale published",
      "trail api-key: API key ci-eu revoked",
    ]);
    for (const limit of [1, 2, 3]) expect(await listed(headers, "", limit)).toEqual(all);
    expect(await listed(headers, "&kind=preview")).toHaveLength(3);
    expect(await listed(headers, `&to=${from}`)).toEqual([]);
    const trail = all.filter(({ source }) => source === "trail");
    expect(trail.map(({ author }) => author)).toEqual(trail.map(() => null));
    expect(JSON.stringify(trail)).not.toContain(userId);
  });

  test("a reader of the metrics of one site sees reported markers, but none from the audit trail", async () => {
    const of = await makeTenant();
    const admin = await sessionWith(["tenant.admin"], of);
    await send("POST /pim/preview", {
      headers: { ...admin, "X-Service-Site": "two" },
      body: { key: "home", configuration: {} },
    });
    await report(deploy(), admin);
    const { userId } = await makeUser(of, { sites: { one: ["portal.analytics.mgmt"] } });
    const headers = { ...(await makeSession(of, userId)).headers, "X-Service-Site": "one" };
    expect((await listed(headers)).map(({ source }) => source)).toEqual(["reported"]);
    expect(await listed(admin)).toHaveLength(2);
  });

  test("markers older than 400 days are removed by the cleanup", async () => {
    const of = await makeTenant();
    const headers = await sessionWith(["tenant.admin"], of);
    await report(deploy({ at: new Date(Date.now() - 399 * dayMs).toISOString() }), headers);
    await cleanTenant(of, new Date());
    expect(await listed(headers)).toHaveLength(1);
    await cleanTenant(of, new Date(Date.now() + 2 * dayMs));
    expect(await listed(headers)).toEqual([]);
  });
});
