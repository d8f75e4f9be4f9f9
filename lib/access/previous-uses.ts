import { sql } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { perProcess } from "@/lib/protocol/per-process";
import type { Origin } from "./caller";

const maxUses = 5000;

interface PreviousUse {
  tenantId: string;
  apiKeyId: string;
  address: string;
  agent: string;
  at: number;
}

const uses = perProcess("previous-secret-uses", () => new Map<string, PreviousUse>());

/** Notes a caller that still uses a key's secret from before its rotation; written with the other uses, not during the request. */
export function notePreviousUse(
  tenantId: string,
  apiKeyId: string,
  { address, agent }: Origin,
  at: number,
): void {
  const key = `${apiKeyId} ${address} ${agent}`;
  if (uses().size < maxUses || uses().has(key))
    uses().set(key, { tenantId, apiKeyId, address, agent, at });
}

/** How many uses of each key are kept, the newest; each write deletes the older ones, however often a caller changes its agent. */
const maxPerKey = 100;

async function trim(tenantId: string, apiKeyIds: string[]): Promise<void> {
  await db().execute(sql`delete from previous_secret_uses
    where tenant_id = ${tenantId} and (api_key_id, address, agent) in (
      select ranked.api_key_id, ranked.address, ranked.agent from (
        select u.api_key_id, u.address, u.agent, row_number() over (partition by u.api_key_id order by u.last_seen_at desc) as place
        from previous_secret_uses u where u.tenant_id = ${tenantId} and u.api_key_id = any(${sql.param(apiKeyIds)}::text[])) ranked
      where ranked.place > ${maxPerKey})`);
}

/** The join skips keys whose previous secret has been retired since then. */
async function write(tenantId: string, due: PreviousUse[]): Promise<void> {
  const texts = (of: (use: PreviousUse) => string) => sql`${sql.param(due.map(of))}::text[]`;
  const times = sql`${sql.param(due.map((use) => new Date(use.at).toISOString()))}::timestamptz[]`;
  await db().execute(sql`insert into previous_secret_uses (tenant_id, api_key_id, address, agent, last_seen_at)
    select k.tenant_id, k.api_key_id, used.address, used.agent, used.at
    from unnest(${texts((use) => use.apiKeyId)}, ${texts((use) => use.address)}, ${texts((use) => use.agent)}, ${times}) as used (id, address, agent, at)
    join api_keys k on k.tenant_id = ${tenantId} and k.api_key_id = used.id and k.previous_hash is not null
    on conflict (tenant_id, api_key_id, address, agent) do update set last_seen_at = excluded.last_seen_at`);
}

/** Writes the uses noted since the last write, tenant by tenant. */
export async function flushPreviousUses(): Promise<void> {
  const due = new Map<string, PreviousUse[]>();
  for (const use of uses().values()) due.set(use.tenantId, [...(due.get(use.tenantId) ?? []), use]);
  uses().clear();
  for (const [tenantId, group] of due) {
    await write(tenantId, group);
    await trim(tenantId, [...new Set(group.map(({ apiKeyId }) => apiKeyId))]);
  }
}
