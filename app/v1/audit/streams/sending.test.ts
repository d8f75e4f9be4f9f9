import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { testCertificate } from "@/lib/features/destinations/audit-streams/testing/certificate";
import {
  openHttps,
  openStorage,
  openSyslog,
} from "@/lib/features/destinations/audit-streams/testing/receivers";
import { expectedSignature } from "@/lib/features/destinations/webhooks/testing/receiver";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const _url = "https://siem.example/gatehouse";
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
  const create = async (body: object) => {
    const answer = await send("POST /v1/audit/streams", { headers, body });
    expect(answer.status, answer.text).toBe(201);
    return answer;
  };
  return { tenant, headers, create };
}

test("200: a test is sent once to each kind, and its outcome is reported", async () => {
  const folder = await mkdtemp(join(tmpdir(), "streams-"));
  vi.stubEnv("AUDIT_STREAM_FOLDER", folder);
  const { tenant, headers, create } = await world();
  const [https, syslog] = [await openHttps(), await openSyslog()];
  const storage = await openStorage(s3.secretAccessKey);
  const ca = testCertificate;
  const made = [
    await create({ kind: "https", url: https.url, ca, authorization: "Bearer x" }),
    await create({ kind: "syslog", host: "127.0.0.1", port: syslog.port, ca }),
    await create({ ...s3, url: storage.url, ca }),
    await create({ kind: "file", folder: "siem" }),
  ];
  const tested = (id: string) => send(`POST /v1/audit/streams/${id}/test`, { headers });
  for (const { body } of made) {
    const answer = await tested(body.id);
    expect([body.kind, answer.body.delivered], answer.text).toEqual([body.kind, true]);
  }
  const [posted] = https.received;
  if (!posted) throw new Error("Nothing was received.");
  expect(posted.headers.authorization).toBe("Bearer x");
  expect(posted.headers["webhook-signature"]).toBe(
    expectedSignature(made[0]?.body.secret, { ...posted, body: undefined, at: 0 }),
  );
  expect(posted.text).toContain('"action":"audit-stream.tested"');
  expect([...storage.objects.keys()]).toEqual([`/trail/${tenant}/${made[2]?.body.id}/test.ndjson`]);
  expect(syslog.messages).toHaveLength(1);
  expect(await readdir(join(folder, tenant, "siem"))).toHaveLength(1);
  https.answer(() => 302);
  const failed = await tested(made[0]?.body.id);
  expect(failed.body).toMatchObject({ delivered: false, attempt: { status: 302 } });
  const untrusted = await create({ kind: "https", url: https.url });
  expect((await tested(untrusted.body.id)).body.attempt.problem).toContain("certificate");
  await Promise.all([https.close(), syslog.close(), storage.close()]);
  await rm(folder, { recursive: true });
});

test("200: a rotated secret signs together with the previous one until the overlap ends; 409 for a stream without signatures", async () => {
  const { headers, create } = await world();
  const https = await openHttps();
  const ca = testCertificate;
  const { id, secret } = (await create({ kind: "https", url: https.url, ca })).body;
  const rotate = (which: string, body: object) =>
    send(`POST /v1/audit/streams/${which}/rotate`, { headers, body });
  const test = async () => {
    await send(`POST /v1/audit/streams/${id}/test`, { headers });
    const one = https.received.at(-1);
    if (!one) throw new Error("Nothing was received.");
    const signed = String(one.headers["webhook-signature"]).split(" ");
    return { signed, by: (key: string) => expectedSignature(key, { ...one, body: {}, at: 0 }) };
  };
  const first = await rotate(id, {});
  expect([first.status, first.body.secret === secret], first.text).toEqual([200, false]);
  const both = await test();
  expect(both.signed).toEqual([both.by(first.body.secret), both.by(secret)]);
  await send(`PATCH /v1/audit/streams/${id}`, { headers, body: { description: "x" } });
  expect((await test()).signed).toHaveLength(2);
  const early = await rotate(id, {});
  expect([early.status, early.body.code]).toEqual([409, "audit-stream.rotation-in-progress"]);
  expect(early.body.reason).toBe(first.body.previousValidTo);
  const second = await rotate(id, { overlap: "PT0S", force: true });
  const one = await test();
  expect(one.signed).toEqual([one.by(second.body.secret)]);
  expect((await rotate(id, { overlap: "P8D" })).status).toBe(400);
  expect((await rotate("ast_x", {})).status).toBe(404);
  const other = await rotate((await create(s3)).body.id, {});
  expect([other.status, other.body.code]).toEqual([409, "audit-stream.not-signed"]);
  await https.close();
});

test("200: an internal address is not connected to once private networks are blocked", async () => {
  const { headers, create } = await world();
  const [https, syslog] = [await openHttps(), await openSyslog()];
  const ca = testCertificate;
  const made = [
    await create({ kind: "https", url: https.url, ca }),
    await create({ kind: "syslog", host: "127.0.0.1", port: syslog.port, ca }),
    await create({ ...s3, url: https.url, ca }),
  ];
  vi.stubEnv("WEBHOOK_NETWORKS", "");
  for (const { body } of made) {
    const answer = await send(`POST /v1/audit/streams/${body.id}/test`, { headers });
    expect(answer.body.delivered, body.kind).toBe(false);
    expect(answer.body.attempt.problem).toContain("private, local or reserved");
  }
  expect([https.received.length, syslog.received.length]).toEqual([0, 0]);
  await Promise.all([https.close(), syslog.close()]);
});
