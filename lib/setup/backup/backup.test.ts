import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { flushUses } from "@/lib/access/last-used";
import { currentSigningKey } from "@/lib/access/signing-keys";
import { currentEmbedded } from "@/lib/database/embedded/embedded";
import { closeStore, openStore, transaction } from "@/lib/database/open";
import { onServer } from "@/lib/database/testing/databases";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { signChangedHeads } from "@/lib/features/audit/sign-heads";
import { preparePartitions } from "@/lib/features/metrics/partitions";
import { testServer } from "@/lib/http/testing/test-server";
import { resetPerProcess } from "@/lib/protocol/per-process";
import { firstRun } from "@/lib/setup/seed";
import { makeApiKey, makeSignedInUser, makeTenant } from "@/lib/setup/testing/factories";
import { checkTrails, isSecretKeyKnown } from "./check-restored";
import { checkBackup, restoreBackup } from "./restore";
import { makeBulk, sumsOf, testStores, urlOf, use } from "./testing/stores";
import { writeBackup } from "./write-backup";

const stores = testStores();
const send = testServer();
const key = randomBytes(32);
const secretKey = process.env.SECRET_KEY;
let source: string;
let apiKey: Record<string, string>;
let session: Record<string, string>;

const write = (tenantId = "demo") =>
  transaction((tx) =>
    record(tx, actingAsSystem(tenantId, "test"), {
      action: "user.locked",
      target: { type: "user", id: 'a "quoted"\tname\\with\neverything' },
    }),
  );

const partition = async (url: string) =>
  onServer<{ name: string }>(
    url,
    "select c.relname as name from pg_class c where c.relispartition and c.relkind = 'r' order by 1",
  );

/** A store with the demo tenant, an audit trail, signing keys, partitions with rows, an API key and a session. */
beforeAll(async () => {
  source = await stores.migrated();
  vi.stubEnv("DEMO", "on");
  await use(source);
  resetPerProcess("metrics-partitions");
  await openStore();
  await firstRun({ url: "http://localhost:3000" });
  await currentSigningKey("consumer");
  await preparePartitions();
  const user = await makeSignedInUser("demo", { roleIds: ["tenant.admin"] });
  session = user.headers;
  apiKey = (await makeApiKey("demo", user.userId)).headers;
  for (let written = 0; written < 20; written += 1) await write();
  await makeBulk(source, "demo");
  const other = await makeTenant();
  await write(other);
  await signChangedHeads();
});

describe("a backup written during other writes", () => {
  let path: string;
  let before: number;

  beforeAll(async () => {
    path = stores.file();
    let isDone = false;
    const writers = [1, 2, 3, 4].map(async () => {
      for (; !isDone; ) await write();
    });
    const saved = await writeBackup(path, key).finally(() => {
      isDone = true;
    });
    await Promise.all(writers);
    before = saved.tables.find(({ name }) => name === "audit_events")?.rows ?? 0;
  });

  test("is a consistent snapshot: the audit trail ends where its tenant's row says", async () => {
    const target = await stores.bare();
    await use(target);
    const restored = await restoreBackup(path, key);
    expect(restored.tables.find(({ name }) => name === "audit_events")?.rows).toBe(before);
    const [row] = await onServer<{ last: string; head: string }>(
      target,
      "select max(e.seq)::text as last, min(t.audit_seq)::text as head from audit_events e join tenants t using (tenant_id) where tenant_id = 'demo'",
    );
    expect(row?.last).toBe(row?.head);
  });

  test("is encrypted, and unreadable without the key", () => {
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(readFileSync(path).includes("user.locked")).toBe(false);
  });

  test("replaces no file", async () => {
    await use(source);
    await expect(writeBackup(path, key)).rejects.toThrow("replaces no file");
  });
});

describe("restored into an empty store", () => {
  let target: string;

  beforeAll(async () => {
    await use(source);
    const path = stores.file();
    await writeBackup(path, undefined);
    target = await stores.bare();
    await use(target);
    await restoreBackup(path, undefined);
  });

  test("every table has the rows of the original, and every partition is there", async () => {
    const sums = await sumsOf(target);
    expect(sums).toEqual(await sumsOf(source));
    expect(sums.metric_minutes).toContain("<n>2</n>");
    expect(await partition(target)).toEqual(await partition(source));
  });

  test("every chain verifies, and SECRET_KEY is the one that the store was written with", async () => {
    await use(target);
    await openStore();
    const { tenants, entries, faults } = await checkTrails();
    expect(faults).toEqual([]);
    expect(tenants).toBeGreaterThan(1);
    expect(entries).toBeGreaterThan(20);
    expect(await isSecretKeyKnown()).toBe(true);
  });

  test("200: the API key and the session work with the same SECRET_KEY", async () => {
    await use(target);
    await openStore();
    expect((await send("GET /v1/user/list", { headers: apiKey })).status).toBe(200);
    expect((await send("GET /v1/user/session", { headers: session })).status).toBe(200);
    await flushUses(true);
  });

  test("another SECRET_KEY is detected", async () => {
    await use(target);
    vi.stubEnv("SECRET_KEY", randomBytes(32).toString("hex"));
    try {
      await openStore();
      expect(await isSecretKeyKnown()).toBe(false);
    } finally {
      vi.stubEnv("SECRET_KEY", secretKey);
    }
  });
});

test("an embedded store in an empty DATA_DIR accepts it, and the service may use it", async () => {
  await use(source);
  const path = stores.file();
  await writeBackup(path, undefined);
  const saved = await sumsOf(source);
  const dataDir = process.env.DATA_DIR;
  await use("");
  vi.stubEnv("DATA_DIR", stores.dataDir());
  try {
    await restoreBackup(path, undefined);
    await openStore();
    const embedded = currentEmbedded().embedded?.superuser;
    expect(await sumsOf(urlOf(embedded))).toEqual(saved);
    expect((await checkTrails()).faults).toEqual([]);
    await write();
    const again = stores.file();
    const { tables } = await writeBackup(again, undefined);
    expect((await checkBackup(again, undefined)).tables).toEqual(tables);
  } finally {
    await closeStore();
    vi.stubEnv("DATA_DIR", dataDir);
  }
});

describe("rejected in words", () => {
  let path: string;
  beforeAll(async () => {
    await use(source);
    path = stores.file();
    await writeBackup(path, key);
  });

  test("a store that is not empty, which does not change", async () => {
    await use(source);
    const before = await sumsOf(source);
    await expect(restoreBackup(path, key)).rejects.toThrow("The store is not empty");
    expect(await sumsOf(source)).toEqual(before);
  });

  test("no key, and a wrong key", async () => {
    await expect(checkBackup(path, undefined)).rejects.toThrow("The backup is encrypted");
    await expect(checkBackup(path, randomBytes(32))).rejects.toThrow("another BACKUP_KEY");
  });

  test("a backup of a newer release", async () => {
    const newer = await stores.migrated();
    await onServer(
      newer,
      "insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)",
    );
    await use(newer);
    const later = stores.file();
    await writeBackup(later, undefined);
    await use(await stores.bare());
    await expect(restoreBackup(later, undefined)).rejects.toThrow("of a newer release");
  });

  test.each([0.2, 0.5, 0.9, 0.9999])("a file truncated at %d of its length", async (part) => {
    const bytes = readFileSync(path);
    const cut = stores.file();
    writeFileSync(cut, bytes.subarray(0, Math.floor(bytes.length * part)));
    await expect(checkBackup(cut, key)).rejects.toThrow("cut short");
    rmSync(cut);
  });

  test("a file in which one byte differs, with a key and without", async () => {
    const changed = stores.file();
    const bytes = Buffer.from(readFileSync(path));
    const middle = Math.floor(bytes.length / 2);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
    writeFileSync(changed, bytes);
    await expect(checkBackup(changed, key)).rejects.toThrow(/changed or cut short|cut short/);
  });

  test.each([
    ['"format":1', '"format":9'],
    ['"format":1', '"format":1,,'],
    ['"aes-256-gcm"', '"aes-256-gcn"'],
  ])("first lines in which %s became %s", async (was, is) => {
    const changed = stores.file();
    writeFileSync(changed, readFileSync(path, "latin1").replace(was, is), "latin1");
    const rejection = "they are damaged, or a newer release wrote them";
    await expect(checkBackup(changed, key)).rejects.toThrow(rejection);
  });

  test("something else", async () => {
    const other = stores.file();
    writeFileSync(other, "PK\u0003\u0004");
    await expect(checkBackup(other, undefined)).rejects.toThrow("is no backup of Gatehouse");
  });
});
