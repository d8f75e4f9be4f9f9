import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, sessions } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();

/** The limit of sandboxes is 5 an hour. */
beforeEach(() => {
  process.env.RATE_LIMITS = "off";
});
afterEach(() => {
  delete process.env.RATE_LIMITS;
});

async function signedIn(row: Parameters<typeof makeSession>[2] = {}) {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
  return { tenant, userId, ...(await makeSession(tenant, userId, row)) };
}

async function makeSandbox(headers: Headers): Promise<string> {
  const tenant = `t-${randomBytes(6).toString("hex")}`;
  const made = await send("POST /v1/user/sandboxes", {
    headers,
    body: { tenant, site: "shop", name: "Sandbox" },
  });
  expect(made.status).toBe(201);
  return tenant;
}

const switchTo = (headers: Headers, tenant: string) =>
  send("POST /v1/user/session/switch", { headers, body: { tenant } });
const headersFor = (tenant: string, sessionId: string) => ({
  "X-Service-Tenant": tenant,
  "X-Service-Session-Id": sessionId,
});

const trailOf = (tenantId: string) =>
  db()
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.tenantId, tenantId))
    .orderBy(auditEvents.seq);

test("200: a manager of the other tenant ends the sessions there and no others", async () => {
  const ada = await signedIn();
  const sandbox = await makeSandbox(ada.headers);
  const { body } = await switchTo(ada.headers, sandbox);
  const other = await makeSession(
    sandbox,
    (await makeUser(sandbox, { roleIds: ["tenant.admin"] })).userId,
  );
  const listed = await send(`GET /v1/user/${ada.userId}/sessions`, { headers: other.headers });
  expect(listed.body).toMatchObject([{ ref: body.ref }]);
  expect(
    (await send(`DELETE /v1/user/${ada.userId}/sessions`, { headers: other.headers })).status,
  ).toBe(204);
  expect(
    (await send("GET /v1/user/session", { headers: headersFor(sandbox, body.sessionId) })).status,
  ).toBe(401);
  expect((await send("GET /v1/user/session", { headers: ada.headers })).status).toBe(200);
});

describe("ending one session", () => {
  /** A chain: home, first sandbox, home again, second sandbox. */
  async function chained() {
    const ada = await signedIn();
    const [first, second] = [await makeSandbox(ada.headers), await makeSandbox(ada.headers)];
    const chain: Headers[] = [];
    for (const tenant of [first, ada.tenant, second]) {
      const { body } = await switchTo(chain.at(-1) ?? ada.headers, tenant);
      chain.push(headersFor(tenant, body.sessionId));
    }
    const other = await makeSession(ada.tenant, ada.userId);
    const statuses = async () =>
      Promise.all(
        [ada.headers, ...chain, other.headers].map(
          async (headers) => (await send("GET /v1/user/session", { headers })).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
    return { ada, first, other, statuses };
  }

  test("204: from another session, ends those opened from it, in any tenant and at any depth", async () => {
    const { ada, first, other, statuses } = await chained();
    const ended = await send(`DELETE /v1/user/sessions/${ada.sessionRef}`, {
      headers: other.headers,
    });
    expect(ended.status).toBe(204);
    expect(await statuses()).toEqual([401, 401, 401, 401, 200]);
    const trail = await trailOf(first);
    expect(trail.at(-1)).toMatchObject({ action: "session.ended", actor: { id: ada.userId } });
  });

  test("204: signing out does the same", async () => {
    const { ada, statuses } = await chained();
    expect((await send("DELETE /v1/user/session", { headers: ada.headers })).status).toBe(204);
    expect(await statuses()).toEqual([401, 401, 401, 401, 200]);
  });

  test("a switch concurrent with the end of its session leaves no session", async () => {
    const ada = await signedIn();
    const sandbox = await makeSandbox(ada.headers);
    const stolen = await makeSession(ada.tenant, ada.userId);
    const [switched] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => switchTo(stolen.headers, sandbox))),
      send(`DELETE /v1/user/sessions/${stolen.sessionRef}`, { headers: ada.headers }),
    ]);
    for (const { body } of switched.filter(({ status }) => status === 200)) {
      const headers = headersFor(sandbox, body.sessionId);
      expect((await send("GET /v1/user/session", { headers })).status).toBe(401);
    }
    const rows = await db().select().from(sessions).where(eq(sessions.tenantId, sandbox));
    expect(rows).toEqual([]);
  });
});

describe("DELETE /v1/user/sessions", () => {
  test("204: all sessions in every tenant end except this one; keys and password remain valid", async () => {
    const ada = await signedIn();
    const sandbox = await makeSandbox(ada.headers);
    const { body } = await switchTo(ada.headers, sandbox);
    const other = await makeSession(ada.tenant, ada.userId);
    const key = await makeApiKey(ada.tenant, ada.userId);
    expect((await send("DELETE /v1/user/sessions", { headers: ada.headers })).status).toBe(204);
    const statuses = [];
    for (const headers of [
      ada.headers,
      key.headers,
      other.headers,
      headersFor(sandbox, body.sessionId),
    ])
      statuses.push((await send("GET /v1/user/session", { headers })).status);
    expect(statuses).toEqual([200, 200, 401, 401]);
    const trail = await trailOf(ada.tenant);
    expect(trail.at(-1)).toMatchObject({
      action: "user.sessions-ended",
      actor: { id: ada.userId },
    });
  });

  test("403: in a tenant other than the home tenant", async () => {
    const ada = await signedIn();
    const sandbox = await makeSandbox(ada.headers);
    const { body } = await switchTo(ada.headers, sandbox);
    const headers = headersFor(sandbox, body.sessionId);
    const answer = await send("DELETE /v1/user/sessions", { headers });
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
      403,
      "user.other-home",
      ada.tenant,
    ]);
  });
});
