import { lane } from "@/lib/database/open";
import { cube, overflow } from "./call-labels";

/** Who made the calls. */
export type CallsOf = { userId: string } | { apiKeyId: string };

export interface LastCall {
  /** "GET /v1/user/list" */
  endpoint: string;
  /** The site that the calls named; "" without one. */
  site: string;
  /** When there was one last: to the day. */
  at: Date;
}

/** Rejected for want of a credential, a right or a rate: these used no right. */
const rejected = "'401', '403', '429'";

/** More combinations of operation and site than a credential can have called. */
const maxLastCalls = 10_000;

/** When a user or an API key called what last: read of the dictionary of combinations, which notes the day of each. */
export async function lastCalls(tenantId: string, of: CallsOf): Promise<LastCall[]> {
  const [column, id] = "userId" in of ? ["user_id", of.userId] : ["api_key", of.apiKeyId];
  const { rows } = await lane("questions").query<LastCall>(
    `select s.endpoint, s.site, max(s.seen_at) as at from metric_series s
      where s.tenant_id = $1 and s.shape = ${cube} and s.${column} = $2 and s.status not in (${rejected})
      group by s.endpoint, s.site order by s.endpoint, s.site limit ${maxLastCalls}`,
    [tenantId, id],
  );
  return rows;
}

/** Whether every call since then is counted by who made it and what it called: beyond a tenant's limits some are counted without. */
export async function isAttributedSince(tenantId: string, since: Date): Promise<boolean> {
  const { rows } = await lane("questions").query(
    `select 1 from metric_series s where s.tenant_id = $1 and s.shape = ${cube} and s.seen_at >= $2
      and '${overflow}' in (s.user_id, s.api_key, s.endpoint, s.site) limit 1`,
    [tenantId, since],
  );
  return rows.length === 0;
}
