import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let tenant: string;
let admin: { userId: string; headers: Record<string, string> };
let person: { userId: string; login: string; headers: Record<string, string> };

const name = "Zora Zimmermann";

async function makePerson(given: Parameters<typeof makeUser>[1] = {}, where = tenant) {
  const { userId, login } = await makeUser(where, { name, ...given });
  const { headers } = await makeSession(where, userId);
  return { userId, login, headers };
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  admin = await makePerson({ roleIds: ["tenant.admin"], name: "Ada Example" });
});
beforeEach(async () => {
  person = await makePerson({ roleIds: ["portal.pim.mgmt"], password: "four words in a row" });
});

const post = (verb: string, headers = admin.headers, body?: unknown) =>
  send(`POST /v1/user/${person.userId}/${verb}`, { headers, ...(body ? { body } : {}) });

describe("GET .../export", () => {
  interface Exported {
    type: string;
    data: Record<string, unknown> & { target: { id: string; name?: string }; changes: object };
  }
  const own = async (headers = person.headers) =>
    (await send("GET /v1/user/profile/export", { headers })).body as Exported[];

  test("200: the user's own data, only the ids of others, and no secret", async () => {
    const { apiKey } = await makeApiKey(tenant, person.userId);
    const body = { page: "users", name: "Mine", query: "lock=true" };
    await send("POST /v1/views", { headers: person.headers, body });
    await post("lock", admin.headers, { reason: "lost the laptop" });
    await post("unlock");
    const records = await own();
    const types = new Set(records.map(({ type }) => type));
    expect([...types]).toEqual(["profile", "preferences", "session", "apiKey", "view", "audit"]);
    const audit = records.filter(({ type }) => type === "audit");
    const ofOthers = ["user.unlocked", "user.locked"];
    expect(audit.map(({ data }) => data.action)).toEqual([...ofOthers, "view.created"]);
    expect(audit.slice(0, 2).map(({ data }) => data.actor)).toEqual([
      { type: "user", id: admin.userId },
      { type: "user", id: admin.userId },
    ]);
    const text = JSON.stringify(records);
    expect(text).toContain("lost the laptop");
    for (const secret of [apiKey, person.headers["X-Service-Session-Id"] ?? "?", "argon2"])
      expect(text).not.toContain(secret);
  });

  test("200: the user's actions on others are included without the others' personal data", async () => {
    const options = { headers: admin.headers, body: { name: "Zora Zander" } };
    await send(`PATCH /v1/user/${person.userId}`, options);
    const entry = (await own(admin.headers)).find(({ data }) => data.target?.id === person.userId);
    expect(entry?.data).toMatchObject({ action: "user.updated", changes: {} });
    expect(entry?.data.target).toEqual({ type: "user", id: person.userId });
  });

  test("200 for a manager, recorded; as NDJSON too", async () => {
    const options = { headers: { ...admin.headers, Accept: "application/x-ndjson" } };
    const answer = await send(`GET /v1/user/${person.userId}/export`, options);
    expect(answer.status, answer.text).toBe(200);
    const first = JSON.parse(answer.text.split("\n")[0] ?? "");
    expect([first.type, first.data.id]).toEqual(["profile", person.userId]);
    const rows = await db().select().from(auditEvents).where(eq(auditEvents.tenantId, tenant));
    expect(
      rows.some((row) => row.action === "user.exported" && row.target.id === person.userId),
    ).toBe(true);
  });

  test("403 without audit.read, and for a tenant.admin's data", async () => {
    const manager = await makePerson({ roleIds: ["portal.users.mgmt"] });
    const options = { headers: manager.headers };
    expect((await send(`GET /v1/user/${person.userId}/export`, options)).status).toBe(200);
    const answer = await send(`GET /v1/user/${admin.userId}/export`, options);
    expect([answer.status, answer.body.code]).toEqual([403, "user.admin-only"]);
    const none = await send(`GET /v1/user/${admin.userId}/export`, { headers: person.headers });
    expect(none.body.reason).toBe("user.manage");
  });
});
