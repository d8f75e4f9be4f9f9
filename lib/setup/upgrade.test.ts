import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { portalCookieName, sealSessions } from "@/lib/access/portal-cookie";
import { adoptSecretKey } from "@/lib/access/sealed";
import { projectRoot } from "@/lib/database/data-dir";
import { closeStore, openStore } from "@/lib/database/open";
import { onEmptyStore } from "@/lib/database/testing/empty-store";
import { testServer } from "@/lib/http/testing/test-server";
import { resetPerProcess } from "@/lib/protocol/per-process";
import { restoreBackup } from "./backup/restore";
import { testStores, use } from "./backup/testing/stores";
import { writeBackup } from "./backup/write-backup";
import { firstRun } from "./seed";
import { type HandedOut, handOut } from "./testing/releases/hand-out";

/*
 * What an earlier release issued works after the upgrade until it expires. For each release there is a backup of a store that it
 * created, and a file with what it issued:
 *
 *     KEEP_RELEASE=2027-01 npx vitest run lib/setup/upgrade
 *
 * The clock of the checks is a minute after the store was created, so that nothing in it expires.
 */

interface Kept {
  takenAt: string;
  secretKey: string;
  handedOut: HandedOut;
}

const folder = join(projectRoot(), "lib", "setup", "testing", "releases");
const url = "http://localhost:3000";
const send = testServer();
const stores = testStores();

function forgetKeys(secretKey: string): void {
  vi.stubEnv("SECRET_KEY", secretKey);
  vi.stubEnv("PUBLIC_URL", url);
  resetPerProcess("signing-keys");
}

async function keep(release: string): Promise<void> {
  const secretKey = Buffer.alloc(32, `gatehouse ${release} `).toString("base64");
  forgetKeys(secretKey);
  const lines = await firstRun({ url });
  const systemPassword = / {2}Password {3}(\S+)/.exec(lines.join("\n"))?.[1] ?? "";
  const sealCookie = (tenant: string, id: string) =>
    sealSessions(new Map([[tenant, id]]), 12 * 3600);
  const handedOut = await handOut({ send, systemPassword, sealCookie });
  const kept: Kept = { takenAt: new Date().toISOString(), secretKey, handedOut };
  const file = join(folder, release);
  mkdirSync(folder, { recursive: true });
  rmSync(`${file}.backup`, { force: true });
  await writeBackup(`${file}.backup`, undefined);
  writeFileSync(`${file}.json`, `${JSON.stringify(kept, null, 2)}\n`);
}

const newRelease = process.env.KEEP_RELEASE;
if (newRelease) test("keeps a store of this release", () => onEmptyStore(() => keep(newRelease)));

const names = readdirSync(folder).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);

describe.each(names)("after an upgrade of a store of release %s", (release) => {
  const file = join(folder, release);
  const kept = JSON.parse(readFileSync(`${file}.json`, "utf8")) as Kept;
  const { tenant, password, admin, keys, links, shopper, idempotent, preview, metrics } =
    kept.handedOut;
  const here = { "X-Service-Tenant": tenant };
  const statusOf = async (...given: Parameters<typeof send>) => (await send(...given)).status;
  const whoAmI = (headers: Record<string, string>) => statusOf("GET /v1/user/session", { headers });
  const byKey = ({ apiKey }: { apiKey: string }) => ({ ...here, "X-Service-API-Key": apiKey });
  const redeem = (path: string, token: string) =>
    statusOf(`POST ${path}`, { headers: here, body: { token, password: "a newer, wider bridge" } });

  beforeAll(async () => {
    const store = await stores.bare();
    await use(store);
    await restoreBackup(`${file}.backup`, undefined);
    const now = new Date(kept.takenAt).getTime() + 60_000;
    vi.useFakeTimers({ toFake: ["Date"], now });
    forgetKeys(kept.secretKey);
    await openStore();
    await adoptSecretKey();
  });
  afterAll(async () => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    await closeStore();
    forgetKeys(String(process.env.SECRET_KEY));
    vi.unstubAllEnvs();
  });

  test("sessions work, of users and of support", async () => {
    expect(await whoAmI(admin.headers)).toBe(200);
    expect(await whoAmI(links.person.headers)).toBe(200);
    expect(await whoAmI(kept.handedOut.support.headers)).toBe(200);
  });

  test("the portal's cookie works", async () => {
    const headers = { ...here, Cookie: `${portalCookieName()}=${kept.handedOut.cookie}` };
    expect(await whoAmI(headers)).toBe(200);
  });

  test("the management bearer works", async () => {
    expect(await whoAmI(kept.handedOut.bearer)).toBe(200);
  });

  test("keys work, and those that did not work still do not", async () => {
    const works = { plain: 200, current: 200, previous: 200, suspended: 403, revoked: 401 };
    for (const [name, status] of Object.entries(works))
      expect([name, await whoAmI(byKey(keys[name as keyof typeof works]))]).toEqual([name, status]);
    const restricted = byKey(keys.restricted);
    expect(await statusOf("GET /v1/user/list", { headers: restricted })).toBe(200);
    expect(await statusOf("GET /v1/audit/events", { headers: restricted })).toBe(403);
    const path = `/v1/user/profile/api-keys/${keys.suspended.apiKeyId}/resume`;
    expect(await statusOf(`POST ${path}`, { headers: admin.headers })).toBe(200);
    expect(await whoAmI(byKey(keys.suspended))).toBe(200);
  });

  test("a retry with its Idempotency-Key gets the stored response", async () => {
    const { operation, headers, body, status, text } = idempotent.site;
    const again = await send(operation, { headers, body });
    expect([again.status, again.text]).toEqual([status, text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const changed = { ...body, name: "Another" };
    expect((await send(operation, { headers, body: changed })).body.code).toBe(
      "idempotency.key-reused",
    );
  });

  test("a retry of a request whose response had a secret is not executed again, and gets the id of what it created", async () => {
    const { operation, headers, body, id } = idempotent.key;
    const again = await send(operation, { headers, body });
    expect([again.status, again.body.code, again.body.reason]).toEqual([
      409,
      "idempotency.secret-not-replayable",
      id,
    ]);
  });

  test("ETags of preview configurations are current", async () => {
    const { path, headers, text, etag } = preview;
    const read = await send(`GET ${path}`, { headers });
    expect([read.text, read.headers.get("etag")]).toEqual([text, etag]);
    const unchanged = await send(`GET ${path}`, { headers: { ...headers, "If-None-Match": etag } });
    expect(unchanged.status).toBe(304);
    const written = await send(`PUT ${path}`, {
      headers: { ...headers, "If-Match": etag },
      body: { title: "Third" },
    });
    expect(written.status).toBe(200);
  });

  test("a batch of counts that is sent again is not counted twice", async () => {
    const sent = { headers: metrics.headers, body: metrics.batch };
    expect(await statusOf("POST /v1/api-metrics/events", sent)).toBe(metrics.status);
    const [cell] = metrics.batch.cells;
    const from = new Date(new Date(kept.takenAt).getTime() - 3_600_000).toISOString();
    const path = `/v1/api-metrics/metrics/timeserie-counts?from=${from}&to=${kept.takenAt}&domain=${cell?.domain}`;
    const { body } = await send(`GET ${path}`, { headers: admin.headers });
    const sum = (values: number[]) => values.reduce((total, one) => total + one, 0);
    expect(sum(body.series.flatMap(({ values }: { values: number[] }) => values))).toBe(
      metrics.calls,
    );
  });

  test("the audit trail is valid", async () => {
    const { headers } = admin;
    const { body } = await send("GET /v1/audit/verify", { headers });
    expect(body.valid).toBe(true);
    const entries = await send("GET /v1/audit/events?limit=100", { headers });
    expect(entries.body.length).toBeGreaterThanOrEqual(kept.handedOut.trail);
  });

  test("customers' tokens work: anonymous, access, refresh and the token for a new password", async () => {
    const { anonymous, signedIn, site, refreshToken, passwordToken } = shopper;
    expect(await statusOf("GET /v1/customer/profile", { headers: signedIn })).toBe(200);
    const again = { headers: site, body: { refreshToken } };
    expect(await statusOf("POST /v1/customer/login/refresh-token", again)).toBe(200);
    const { login, token } = passwordToken;
    const body = { token, password: "a newer, wider bridge" };
    const confirmed = await send("POST /v1/customer/password-resets/confirm", {
      headers: anonymous,
      body,
    });
    expect([confirmed.status, confirmed.text]).toEqual([204, ""]);
    const credentials = { login, password: body.password };
    expect(
      await statusOf("POST /v1/customer/login/token", { headers: anonymous, body: credentials }),
    ).toBe(200);
  });

  test("invitations and reset links are redeemed", async () => {
    expect(await redeem("/v1/user/invitations/accept", links.invitation.token)).toBe(200);
    expect(await redeem("/v1/user/password-resets/confirm", links.reset.token)).toBe(204);
    const southern = { "X-Service-Tenant": "south" };
    const { token } = kept.handedOut.support.invitation;
    const accepted = { headers: southern, body: { token, password } };
    expect(await statusOf("POST /v1/user/invitations/accept", accepted)).toBe(200);
  });

  test("passwords work", async () => {
    const body = { tenant, login: admin.login, password };
    expect(await statusOf("POST /v1/user/session-login", { headers: here, body })).toBe(200);
  });
});

test("the store of the first release is tested", () => {
  expect(names).toContain("af13195");
});
