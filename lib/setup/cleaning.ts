import { getTableName } from "drizzle-orm";
import { claimRound, cleaningTime } from "@/lib/database/clock";

import { deleteOldSigningKeys, tenantsAfter } from "@/lib/database/global";
import { deleteOldRows, tablesToClean } from "@/lib/database/retention";
import { pruneAuditEvents } from "@/lib/features/audit/checkpoints";
import { thinHeads } from "@/lib/features/audit/heads";
import { resealStreams } from "@/lib/features/audit-streams/rows";
import { resealClientSecrets } from "@/lib/features/connections/rows";
import { forgetOldImports } from "@/lib/features/customers/imports/rows";
import { forgetOldBatches, forgetOldSeries } from "@/lib/features/metrics/old-records";
import { forgetDeletedPreviews } from "@/lib/features/previews/states";
import { recountQuotas } from "@/lib/features/quotas/quotas";
import { resealFactors } from "@/lib/features/second-factors/rows";
import { removeEndedRoles } from "@/lib/features/users/remove-ended-roles";
import { resealSecrets } from "@/lib/features/webhooks/rows";
import { log } from "@/lib/protocol/log";
import { noteJob } from "@/lib/protocol/periodic-jobs";
import { renewLabelKeys } from "./label-keys";

const firstMilliseconds = 60_000;
const hourMilliseconds = 3_600_000;
/** No consumer token lives longer than a day after its key's last signature. */
const signingKeysKeptMs = 7 * 24 * hourMilliseconds;

interface Cleaner {
  name: string;
  clean: (tenantId: string, now: Date) => Promise<unknown>;
}

/** What is kept for a while only. */
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
];

async function cleanByAge(tenantId: string, now: Date): Promise<void> {
  for (const retention of await tablesToClean(tenantId, now)) {
    const table = getTableName(retention.table);
    await attempt(tenantId, table, () => deleteOldRows(retention, tenantId, now));
  }
}

/** What fails is logged, and done by the next round. */
const attempt = (tenantId: string, table: string, work: () => Promise<unknown>) =>
  work().catch((error: unknown) =>
    log().warn({ err: error, tenantId, table }, "the cleaning was not finished"),
  );

/** Deletes what one tenant no longer keeps. */
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

/** Deletes what is past its time, one tenant at a time, in statements that each read a bounded number of rows. */
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

/** One round, unless another process began one within the hour or no clock can be trusted. */
async function cleanOnce(signal: AbortSignal): Promise<void> {
  const now = await cleaningTime();
  if (!now) log().warn("nothing is cleaned while the clock cannot be trusted");
  else if (await claimRound("cleaning", now, hourMilliseconds - firstMilliseconds))
    await cleanStore(now, signal);
}

/** Cleans every hour, a minute from now for the first time. The answer stops it. */
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
