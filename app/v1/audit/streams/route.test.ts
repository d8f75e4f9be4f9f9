import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { auditStreams } from "@/lib/database/schema/schema";
import { actionsOf, trailOf } from "@/lib/features/audit/testing/trail";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const url = "https://siem.example/gatehouse";
const s3 = {
  ...{ kind: "s3", url: "https://s3.example/", region: "eu-central-1", bucket: "trail" },
  ...{ accessKeyId: "AKIAEXAMPLE", secretAccessKey: "very-secret-key" },
};

beforeEach(() => {
  vi.stubEnv("WEBHOOK_NETWORKS", "127.0.0.1");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function world() {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { headers } = await makeSession(tenant, userId);
  const create = async (body: object = { kind: "https", url }) => {
    const answer = await send("POST /v1/audit/streams", { headers, body });
    expect(answer.status, answer.text).toBe(201);
    return answer;
  };
  const trail = () => trailOf(tenant);
  const actions = () => actionsOf(tenant);
  return { tenant, userId, headers, create, trail, actions };
}

test("201: the signing secret is shown once, and no secret is listed, recorded or stored in plain text", async () => {
  const { tenant, headers, create, trail, actions } = await world();
  const authorization = "Splunk 12345678-token";
  const made = await create({ kind: "https", url, authorization, description: "SIEM" });
  expect(made.body).toMatchObject({ kind: "https", url, description: "SIEM", status: "enabled" });
  expect(made.body.state).toMatchObject({ behind: 1, deliveredAt: null, attempts: [] });
  expect(made.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(made.headers.get("location")).toBe(`/v1/audit/streams/${made.body.id}`);
  const stored = await create(s3);
  expect([stored.body.secret, stored.body.every]).toEqual([undefined, "PT1M"]);
  const secrets = ["whsec_", authorization, s3.secretAccessKey];
  const shown = await Promise.all(
    ["", `/${made.body.id}`, `/${stored.body.id}`].map(
      async (path) => (await send(`GET /v1/audit/streams${path}`, { headers })).text,
    ),
  );
  const rows = await db().select().from(auditStreams).where(eq(auditStreams.tenantId, tenant));
  const kept = rows.map(
    (row) => `${row.secrets.toString("latin1")}${JSON.stringify(row.settings)}`,
  );
  const everything = [...shown, ...kept, stored.text, JSON.stringify(await trail())].join();
  for (const secret of secrets) expect(everything).not.toContain(secret);
  expect(await actions()).toEqual(["audit-stream.created", "audit-stream.created"]);
});

test("401 without a session, also with an API key; 403 without the role of an administrator", async () => {
  const { tenant, userId, create } = await world();
  const { id } = (await create()).body;
  const { userId: other } = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] });
  const manager = await makeSession(tenant, other);
  const key = await makeApiKey(tenant, userId);
  const anonymous = { "X-Service-Tenant": tenant };
  const operations = [
    ["GET /v1/audit/streams", undefined],
    ["POST /v1/audit/streams", { kind: "https", url }],
    [`GET /v1/audit/streams/${id}`, undefined],
    [`PATCH /v1/audit/streams/${id}`, { description: "x" }],
    [`DELETE /v1/audit/streams/${id}`, undefined],
    ...["test", "rotate", "enable", "disable"].map(
      (verb) => [`POST /v1/audit/streams/${id}/${verb}`, undefined] as const,
    ),
  ] as const;
  for (const [operation, body] of operations) {
    const given = body === undefined ? {} : { body };
    const asked = async (headers: Record<string, string>) =>
      (await send(operation, { headers, ...given })).status;
    expect(await asked(anonymous), operation).toBe(401);
    expect([401, 403], operation).toContain(await asked(key.headers));
    expect(await asked(manager.headers), operation).toBe(403);
  }
});

test("400 for a missing, unknown or unreachable setting of a kind", async () => {
  const { headers } = await world();
  const wrong: [object, string][] = [
    [{ kind: "https" }, "/url"],
    [{ kind: "https", url, host: "siem.example" }, "/host"],
    [{ kind: "https", url: "https://10.0.0.1/" }, "/url"],
    [{ kind: "https", url: "ftp://siem.example/" }, "/url"],
    [{ kind: "https", url, ca: "no certificate" }, "/ca"],
    [{ kind: "https", url, authorization: "two\nlines" }, "/authorization"],
    [{ kind: "syslog" }, "/host"],
    [{ kind: "syslog", host: "169.254.169.254" }, "/host"],
    [{ kind: "syslog", host: "0x7f.2" }, "/host"],
    [{ kind: "syslog", host: "siem.example/path" }, "/host"],
    [{ kind: "syslog", host: "siem.example", port: 0 }, "/port"],
    [{ ...s3, secretAccessKey: undefined }, "/secretAccessKey"],
    [{ ...s3, url: "https://192.168.0.1/" }, "/url"],
    [{ ...s3, url: "https://s3.example/path" }, "/url"],
    [{ ...s3, prefix: "../other/" }, "/prefix"],
    [{ ...s3, prefix: "/other" }, "/prefix"],
    [{ ...s3, bucket: "Other Bucket" }, "/bucket"],
    [{ ...s3, every: "PT1H" }, "/every"],
    [{ kind: "file", folder: "siem" }, "/kind"],
    [{ kind: "file", folder: "../siem" }, "/folder"],
    [{ kind: "pigeon" }, "/kind"],
  ];
  for (const [body, pointer] of wrong) {
    const answer = await send("POST /v1/audit/streams", { headers, body });
    expect(answer.status, `${JSON.stringify(body)} ${answer.text}`).toBe(400);
    expect(answer.text).toContain(`"${pointer}"`);
  }
});

test("400: plain http in production", async () => {
  const { headers } = await world();
  vi.stubEnv("NODE_ENV", "production");
  const body = { kind: "https", url: "http://siem.example/" };
  expect((await send("POST /v1/audit/streams", { headers, body })).status).toBe(400);
});

test("200: a list in pages, newest first", async () => {
  const { headers, create } = await world();
  const ids = [];
  for (let n = 0; n < 3; n += 1) ids.unshift((await create()).body.id);
  const first = await send("GET /v1/audit/streams?limit=2", { headers });
  const next = /<(.+)>/.exec(first.headers.get("link") ?? "")?.[1];
  const second = await send(`GET ${next}`, { headers });
  const listed = [...first.body, ...second.body].map(({ id }: { id: string }) => id);
  expect(listed).toEqual(ids);
});

test("200: the given fields are changed and recorded, secrets without a value; 412 for an outdated ETag", async () => {
  const { headers, create, trail, actions } = await world();
  const { id } = (await create(s3)).body;
  const path = `/v1/audit/streams/${id}`;
  const shown = await send(`GET ${path}`, { headers });
  const tag = { "If-Match": shown.headers.get("etag") ?? "" };
  const body = { bucket: "other", secretAccessKey: "another-secret" };
  const change = { headers: { ...headers, ...tag }, body };
  const changed = await send(`PATCH ${path}`, change);
  expect([changed.status, changed.body.bucket]).toEqual([200, "other"]);
  expect(changed.body.region).toBe("eu-central-1");
  expect((await send(`PATCH ${path}`, change)).status).toBe(412);
  expect((await send(`DELETE ${path}`, { headers: change.headers })).status).toBe(412);
  expect((await send(`PATCH ${path}`, { headers, body: { host: "x.example" } })).status).toBe(400);
  const updated = (await trail()).find(({ action }) => action === "audit-stream.updated");
  expect(updated?.changes).toEqual({
    bucket: { before: "trail", after: "other" },
    secretAccessKey: {},
  });
  expect((await send(`DELETE ${path}`, { headers })).status).toBe(204);
  expect((await send(`GET ${path}`, { headers })).status).toBe(404);
  expect(await actions()).toEqual([
    "audit-stream.created",
    "audit-stream.updated",
    "audit-stream.deleted",
  ]);
});

test("304: the state of the delivery does not change the stream's ETag", async () => {
  const { headers, create } = await world();
  const path = `GET /v1/audit/streams/${(await create()).body.id}`;
  const tag = (await send(path, { headers })).headers.get("etag") ?? "";
  await create();
  expect((await send(path, { headers: { ...headers, "If-None-Match": tag } })).status).toBe(304);
});

test("200: disabled and enabled, each recorded once", async () => {
  const { headers, create, actions } = await world();
  const { id } = (await create()).body;
  const call = async (verb: string) =>
    (await send(`POST /v1/audit/streams/${id}/${verb}`, { headers })).body;
  expect(await call("disable")).toMatchObject({ status: "disabled", disabledReason: "by-user" });
  await call("disable");
  expect(await call("enable")).toMatchObject({ status: "enabled", disabledReason: null });
  await call("enable");
  expect((await actions()).slice(1)).toEqual(["audit-stream.disabled", "audit-stream.enabled"]);
});

test("404 for an unknown or foreign stream", async () => {
  const [one, other] = [await world(), await world()];
  const { id } = (await other.create()).body;
  const { headers } = one;
  for (const which of [id, "ast_x"]) {
    const path = `/v1/audit/streams/${which}`;
    expect((await send(`GET ${path}`, { headers })).status).toBe(404);
    expect((await send(`DELETE ${path}`, { headers })).status).toBe(404);
    expect((await send(`PATCH ${path}`, { headers, body: { description: "x" } })).status).toBe(404);
    for (const verb of ["test", "enable", "disable"])
      expect((await send(`POST ${path}/${verb}`, { headers })).status).toBe(404);
  }
});

test("429: a sandbox has at most 5", async () => {
  const { headers, create } = await world();
  for (let n = 0; n < 5; n += 1) await create();
  const body = { kind: "https", url };
  const answer = await send("POST /v1/audit/streams", { headers, body });
  expect([answer.status, answer.body.code]).toEqual([429, "quota.exceeded"]);
});
