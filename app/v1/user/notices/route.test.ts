import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { sha256 } from "@/lib/access/secrets";
import { transaction } from "@/lib/database/open";
import { record } from "@/lib/features/audit/service";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const password = "four words in a row";
let tenant: string;
let admin: { userId: string; headers: Record<string, string> };
let person: { userId: string; login: string; headers: Record<string, string> };

async function makePerson(given: Parameters<typeof makeUser>[1] = {}) {
  const { userId, login } = await makeUser(tenant, given);
  const { headers } = await makeSession(tenant, userId);
  return { userId, login, headers };
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  admin = await makePerson({ roleIds: ["tenant.admin"] });
});
beforeEach(async () => {
  person = await makePerson({ roleIds: ["portal.default"], password });
});

interface Listed {
  id: string;
  kind: string;
  byOneself: boolean;
  by: { id: string };
  fields: string[];
  subject?: string;
}
const list = async (headers = person.headers): Promise<Listed[]> =>
  (await send("GET /v1/user/notices", { headers })).body;
const kinds = async () => (await list()).map(({ kind }) => kind);

const post = (verb: string, body?: unknown) =>
  send(`POST /v1/user/${person.userId}/${verb}`, {
    headers: admin.headers,
    ...(body ? { body } : {}),
  });

describe("200", () => {
  test("changes by others to the user's lock, e-mail address and roles, newest first", async () => {
    expect(await list()).toEqual([]);
    await post("lock", { reason: "lost the laptop" });
    await post("unlock");
    const path = `/v1/user/${person.userId}`;
    const body = { emailAddress: "other@example.com" };
    await send(`PATCH ${path}`, { headers: admin.headers, body });
    const roles = { roleIds: ["portal.default", "portal.pim.mgmt"], sites: {} };
    const headers = { ...admin.headers, "If-Match": "*" };
    expect((await send(`PUT ${path}/roles`, { headers, body: roles })).status).toBe(200);
    expect(await kinds()).toEqual(["roles-changed", "profile-changed", "unlocked", "locked"]);
    const [newest, updated] = await list();
    expect(newest).toMatchObject({ byOneself: false, by: { id: admin.userId } });
    expect(newest).not.toHaveProperty("address");
    expect(updated?.fields).toEqual(["emailAddress"]);
  });

  test("the user's own change of the password", async () => {
    const body = { current: password, password: "seven quiet lanterns by the gate" };
    const answer = await send("PUT /v1/user/password", { headers: person.headers, body });
    expect(answer.status, answer.text).toBe(204);
    expect((await list())[0]).toMatchObject({ kind: "password-changed", byOneself: true });
  });

  test("a reset link and changes to the user's API keys", async () => {
    const { apiKeyId } = await makeApiKey(tenant, person.userId, { name: "ci-eu" });
    await send(`POST /v1/user/api-keys/${apiKeyId}/suspend`, { headers: admin.headers });
    await post("password-reset");
    expect(await kinds()).toEqual(["password-link-created", "api-key-suspended"]);
    expect((await list())[1]).toMatchObject({ subject: "ci-eu", by: { id: admin.userId } });
  });

  test("a link to the secret of the user's API key, when it is created and when it is opened", async () => {
    const { apiKey, apiKeyId } = await makeApiKey(tenant, person.userId, { name: "ci-us" });
    const { headers } = person;
    const body = { sealed: "c2Vh".repeat(27), secretHash: sha256(apiKey).toString("hex") };
    const path = `/v1/user/profile/api-keys/${apiKeyId}/hand-offs`;
    const { body: link } = await send(`POST ${path}`, { headers, body });
    await send("POST /v1/user/api-keys/hand-offs/open", {
      headers: { "X-Service-Tenant": tenant },
      body: { token: link.token },
    });
    expect(await kinds()).toEqual(["api-key-link-opened", "api-key-link-created"]);
    expect((await list())[0]).toMatchObject({ subject: "ci-us", byOneself: false });
    expect((await list())[1]).toMatchObject({ subject: "ci-us", byOneself: true });
  });

  test("a sign-in from another network than before, but not the first one", async () => {
    const acting = (address: string) => ({
      tenantId: tenant,
      actor: { type: "user" as const, id: person.userId, login: person.login },
      ...{ requestId: "req_1", address, agent: "test" },
    });
    const signIn = (address: string) => {
      const fact = { action: "session.created", target: { type: "session", id: "sess_1" } };
      return transaction((tx) => record(tx, acting(address), fact));
    };
    await signIn("192.0.2.1");
    await signIn("192.0.2.77");
    expect(await kinds()).toEqual([]);
    await signIn("203.0.113.5");
    await signIn("203.0.113.9");
    expect(await list()).toMatchObject([{ kind: "new-network", address: "203.0.113.5" }]);
  });

  test("neither changes to others, nor the user's own actions on others", async () => {
    const other = await makePerson();
    await send(`POST /v1/user/${other.userId}/lock`, {
      headers: admin.headers,
      body: { reason: "x" },
    });
    expect(await list()).toEqual([]);
    expect((await list(admin.headers)).map(({ kind }) => kind)).not.toContain("locked");
  });

  test("actions by others, however many the user performed since", async () => {
    await post("lock", { reason: "x" });
    await post("unlock");
    const { headers } = person;
    const { apiKeyId } = await makeApiKey(tenant, person.userId);
    for (let n = 0; n < 30; n += 1)
      for (const verb of ["suspend", "resume"])
        await send(`POST /v1/user/profile/api-keys/${apiKeyId}/${verb}`, { headers });
    const all = await list();
    expect(all.filter(({ byOneself }) => byOneself)).toHaveLength(50);
    expect(all.slice(50).map(({ kind }) => kind)).toEqual(["unlocked", "locked"]);
  });

  test("nothing older than 30 days", async () => {
    const days = (count: number) => count * 86_400_000;
    const { headers } = await makeSession(tenant, person.userId, {
      expiresAt: new Date(Date.now() + days(60)),
      idleSeconds: days(60) / 1000,
    });
    await post("lock", { reason: "x" });
    await post("unlock");
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(Date.now() + days(29));
    expect(await list(headers)).toHaveLength(2);
    vi.setSystemTime(Date.now() + days(2));
    expect(await list(headers)).toEqual([]);
  });
});

describe("POST /v1/user/notices/{id}/dismiss", () => {
  const dismiss = (id: string, headers = person.headers) =>
    send(`POST /v1/user/notices/${id}/dismiss`, { headers });

  test("204: the notice is gone, the others stay, and repeating changes nothing", async () => {
    await post("lock", { reason: "x" });
    await post("unlock");
    const [unlocked, locked] = await list();
    expect((await dismiss(unlocked?.id ?? "")).status).toBe(204);
    expect((await dismiss(unlocked?.id ?? "")).status).toBe(204);
    expect((await list()).map(({ id }) => id)).toEqual([locked?.id]);
  });

  test("404 for an id that is not one of the user's notices", async () => {
    await post("lock", { reason: "x" });
    await post("unlock");
    const [mine] = await list();
    expect((await dismiss("aud_none")).body.code).toBe("notice.not-found");
    expect((await dismiss(mine?.id ?? "", admin.headers)).status).toBe(404);
    expect(await list()).toHaveLength(2);
  });
});

test("401 for an API key: notices are for users", async () => {
  const { headers } = await makeApiKey(tenant, person.userId);
  expect((await send("GET /v1/user/notices", { headers })).status).toBe(401);
});
