import { getTableName, sql } from "drizzle-orm";
import { claimRound, cleaningTime } from "@/lib/database/clock";
import { deleteOldSigningKeys, tenantsAfter } from "@/lib/database/global";
import { db } from "@/lib/database/open";
import { deleteOldRows, tablesToClean } from "@/lib/database/retention";
import { pruneAuditEvents } from "@/lib/features/audit/checkpoints";
import { thinHeads } from "@/lib/features/audit/heads";
import { resealClientSecrets } from "@/lib/features/connections/rows";
import { forgetOldImports } from "@/lib/features/customers/imports/rows";
import { resealStreams } from "@/lib/features/destinations/audit-streams/rows";
import { resealSecrets } from "@/lib/features/destinations/webhooks/rows";
import { forgetOldBatches, forgetOldSeries } from "@/lib/features/metrics/metadata";
import { forgetOldSample } from "@/lib/features/metrics/sample-traffic";
import { forgetDeletedPreviews } from "@/lib/features/previews/states";
import { recountQuotas } from "@/lib/features/quotas/quotas";
import { resealFactors } from "@/lib/features/sessions/second-factors/rows";
import { removeEndedRoles } from "@/lib/features/users/held-roles";
import { labelKey } from "@/lib/protocol/formats";
import { log } from "@/lib/protocol/log";
import { noteJob, perProcess } from "@/lib/protocol/per-process";

/*
 * Names are compared without invisible characters, such as a zero-width space. Rows of a release that compared them with it have other
 * keys: those are recomputed if the new key is free. A name that looks like another one retains its key, and is logged by its id.
 */

/** Default_Ignorable_Code_Point, in PostgreSQL's syntax. */
const ignorable =
  "[\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFF8\\U0001BCA0-\\U0001BCA3\\U0001D173-\\U0001D17A\\U000E0000-\\U000E0FFF]";

const keyed = [
  { table: "users", id: "user_id", key: "login_key", owner: "''" },
  { table: "customers", id: "customer_id", key: "login_key", owner: "''" },
  {
    table: "api_keys",
    id: "api_key_id",
    key: "name_key",
    owner: "user_id",
    only: "revoked_at is null",
  },
];

type Keyed = (typeof keyed)[number];

async function renewIn(tenantId: string, { table, id, key, owner, only = "true" }: Keyed) {
  const [rows, ids, keys] = [table, id, key].map((one) => sql.identifier(one));
  const found = await db().execute<{ id: string; key: string; owner: string }>(
    sql`select ${ids} as id, ${keys} as key, ${sql.raw(owner)} as owner from ${rows}
      where tenant_id = ${tenantId} and ${sql.raw(only)} and ${keys} ~ ${ignorable} order by ${ids}`,
  );
  for (const row of found.rows) {
    const wanted = labelKey(row.key);
    const { rowCount } = await db().execute(
      sql`update ${rows} set ${keys} = ${wanted}
        where tenant_id = ${tenantId} and ${ids} = ${row.id} and ${keys} = ${row.key} and ${wanted} <> ''
          and not exists (select 1 from ${rows} o where o.tenant_id = ${tenantId} and o.${keys} = ${wanted}
            and ${sql.raw(owner)} = ${row.owner} and ${sql.raw(only)})`,
    );
    if (rowCount === 0)
      log().warn(
        { tenantId, id: row.id },
        "a name looks like another one: rename it, or erase it and create it anew",
      );
  }
}

const done = perProcess("label-keys", () => new Set<string>());

/** Recomputes the keys of a tenant's names, once per process. */
export async function renewLabelKeys(tenantId: string): Promise<void> {
  if (done().has(tenantId)) return;
  for (const one of keyed) await renewIn(tenantId, one);
  done().add(tenantId);
}

const firstMilliseconds = 60_000;
const hourMilliseconds = 3_600_000;
/** Consumer tokens expire at most a day after their key's last signature. */
const signingKeysKeptMs = 7 * 24 * hourMilliseconds;

interface Cleaner {
  name: string;
  clean: (tenantId: string, now: Date) => Promise<unknown>;
}

/** The tasks of the cleanup. */
const cleaners: Cleaner[] = [
  { name: "rows by age", clean: cleanByAge },
  { name: "label keys", clean: renewLabelKeys },
  { name: "role_assignments", clean: removeEndedRoles },
  { name: "preview_configurations", clean: forgetDeletedPreviews },
  { name: "audit_events", clean: pruneAuditEvents },
  { name: "audit_heads", clean: thinHeads },
  { name: "tenant_quotas", clean: recountQuotas },
  { name: "webhooks", clean: resealSecrets },
  { name: "audit_streams", clean: resealStreams },
  { name: "second_factors", clean: resealFactors },
  { name: "connections", clean: resealClientSecrets },
  { name: "customer_imports", clean: forgetOldImports },
  { name: "metric_series", clean: forgetOldSeries },
  { name: "metric_batches", clean: forgetOldBatches },
  { name: "sample traffic", clean: forgetOldSample },
];

async function cleanByAge(tenantId: string, now: Date): Promise<void> {
  for (const retention of await tablesToClean(tenantId, now)) {
    const table = getTableName(retention.table);
    await attempt(tenantId, table, () => deleteOldRows(retention, tenantId, now));
  }
}

/** A failure is logged, and retried by the next round. */
const attempt = (tenantId: string, table: string, work: () => Promise<unknown>) =>
  work().catch((error: unknown) =>
    log().warn({ err: error, tenantId, table }, "the cleaning was not finished"),
  );

/** Deletes a tenant's expired data. */
export async function cleanTenant(
  tenantId: string,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  for (const { name, clean } of cleaners) {
    if (signal?.aborted) return;
    await attempt(tenantId, name, () => clean(tenantId, now));
  }
}

/** Deletes expired data, one tenant at a time, in statements that each read a bounded number of rows. */
export async function cleanStore(now: Date, signal?: AbortSignal): Promise<void> {
  await deleteOldSigningKeys(new Date(now.getTime() - signingKeysKeptMs));
  for (let after = ""; !signal?.aborted; ) {
    const tenantIds = await tenantsAfter(after);
    for (const tenantId of tenantIds) await cleanTenant(tenantId, now, signal);
    const last = tenantIds.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** One round, unless another process started one within the hour or the clocks cannot be trusted. */
async function cleanOnce(signal: AbortSignal): Promise<void> {
  const now = await cleaningTime();
  if (!now) log().warn("nothing is cleaned while the clock cannot be trusted");
  else if (await claimRound("cleaning", now, hourMilliseconds - firstMilliseconds))
    await cleanStore(now, signal);
}

/** Runs the cleanup every hour, the first time in a minute. The answer stops it. */
export function startCleaning(): () => void {
  const stopping = new AbortController();
  const round = async () => {
    await cleanOnce(stopping.signal).then(
      () => noteJob("cleaning", true),
      (error: unknown) => {
        noteJob("cleaning", false);
        log().warn({ err: error }, "the cleaning was not finished");
      },
    );
    if (timer !== undefined) timer = setTimeout(round, hourMilliseconds).unref();
  };
  let timer: NodeJS.Timeout | undefined = setTimeout(round, firstMilliseconds).unref();
  return () => {
    stopping.abort();
    clearTimeout(timer);
    timer = undefined;
  };
}
