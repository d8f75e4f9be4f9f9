import { readFileSync } from "node:fs";
import { join } from "node:path";
import { and, eq, getTableName, is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { projectRoot } from "./data-dir";
import { db } from "./open";
import { deleteOldRows, retentions, tablesToClean } from "./retention";
import * as schema from "./schema/schema";

const { apiKeys, idempotentAnswers, passwordLinks, previousSecretUses } = schema;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

async function clean(table: PgTable, tenantId: string): Promise<number> {
  const retention = retentions.find((one) => one.table === table);
  if (!retention) throw new Error(`${getTableName(table)} is not cleaned by age.`);
  return deleteOldRows(retention, tenantId, new Date());
}

test("docs/architecture/tables.md lists what bounds each table of the schema, and no other table", () => {
  const text = readFileSync(join(projectRoot(), "docs/architecture/tables.md"), "utf8");
  const listed = [...text.matchAll(/^\| `(\w+)` \| \S/gm)].map(([, name]) => name);
  const tables = Object.values(schema).filter((entry) => is(entry, PgTable));
  expect(listed.toSorted()).toEqual(tables.map((table) => getTableName(table)).toSorted());
});

test("deletes old rows of a table of any size range by range, and no recent or foreign ones", async () => {
  const [tenant, other] = [await makeTenant(), await makeTenant()];
  const [old, young] = [daysAgo(2), daysAgo(0)].map((at) => at.toISOString());
  const fill = (tenantId: string, count: number) =>
    db().execute(sql`insert into idempotent_answers (tenant_id, key_hash, body_hash, created_at)
      select ${tenantId}, decode(lpad(to_hex(n), 64, '0'), 'hex'), '', case when n % 10 = 0 then ${young}::timestamptz else ${old}::timestamptz end
      from generate_series(1, ${count}::int) n`);
  await fill(tenant, 7000);
  await fill(other, 10);
  expect(await clean(idempotentAnswers, tenant)).toBe(6300);
  const left = (tenantId: string) =>
    db().$count(idempotentAnswers, eq(idempotentAnswers.tenantId, tenantId));
  expect(await left(tenant)).toBe(700);
  expect(await left(other)).toBe(10);
});

test("scans only those tables of a tenant that have an old row, or too many rows to check at once", async () => {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant);
  await makeApiKey(tenant, userId);
  const due = async () =>
    (await tablesToClean(tenant, new Date())).map(({ table }) => getTableName(table));
  expect(await due()).toEqual([]);
  await makeApiKey(tenant, userId, { revokedAt: daysAgo(31) });
  expect(await due()).toEqual(["api_keys"]);
  await db().execute(sql`insert into idempotent_answers (tenant_id, key_hash, body_hash, created_at)
    select ${tenant}, decode(lpad(to_hex(n), 64, '0'), 'hex'), '', case when n = 900 then ${daysAgo(2).toISOString()}::timestamptz else ${daysAgo(0).toISOString()}::timestamptz end
    from generate_series(1, 900) n`);
  expect(await due()).toEqual(["idempotent_answers", "api_keys"]);
});

test("deletes API keys 30 days after they expired or were revoked", async () => {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant);
  await makeApiKey(tenant, userId, { validTo: daysAgo(31) });
  await makeApiKey(tenant, userId, { revokedAt: daysAgo(31) });
  const kept = [
    await makeApiKey(tenant, userId, { validTo: daysAgo(29) }),
    await makeApiKey(tenant, userId, { revokedAt: daysAgo(29) }),
    await makeApiKey(tenant, userId),
  ];
  expect(await clean(apiKeys, tenant)).toBe(2);
  const left = await db()
    .select({ id: apiKeys.apiKeyId })
    .from(apiKeys)
    .where(eq(apiKeys.tenantId, tenant));
  expect(left.map(({ id }) => id).toSorted()).toEqual(
    kept.map(({ apiKeyId }) => apiKeyId).toSorted(),
  );
});

test("deletes password links 30 days after they expired", async () => {
  const tenant = await makeTenant();
  for (const days of [31, 29]) {
    const { userId } = await makeUser(tenant);
    const link = {
      tenantId: tenant,
      userId,
      tokenHash: Buffer.from(userId),
      purpose: "reset" as const,
    };
    await db()
      .insert(passwordLinks)
      .values({ ...link, expiresAt: daysAgo(days) });
  }
  expect(await clean(passwordLinks, tenant)).toBe(1);
});

test("deletes uses of previous secrets after 90 days", async () => {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant);
  const { apiKeyId } = await makeApiKey(tenant, userId);
  for (const days of [91, 89])
    await db()
      .insert(previousSecretUses)
      .values({
        tenantId: tenant,
        apiKeyId,
        address: `10.0.0.${days}`,
        agent: "",
        lastSeenAt: daysAgo(days),
      });
  expect(await clean(previousSecretUses, tenant)).toBe(1);
  const left = and(
    eq(previousSecretUses.tenantId, tenant),
    eq(previousSecretUses.address, "10.0.0.89"),
  );
  expect(await db().$count(previousSecretUses, left)).toBe(1);
});
