import { createHash } from "node:crypto";
import { administrator, seedMany } from "@/bench/users/data";
import { closeStore, db, openStore } from "@/lib/database/open";
import { withOwnerConnection } from "@/lib/database/owner-connection";
import { tenantQuotas } from "@/lib/database/schema/schema";
import { quotaNames } from "@/lib/features/quotas/values";

export const held = { users: 5000, keys: 2000, webhooks: 300, requests: 10_000, previews: 200 };

const { tenant } = administrator;

/** 200 keys of the administrator, and one or two of each other person. */
const keys = `insert into api_keys (tenant_id, api_key_id, user_id, name, name_key, secret_hash, hint, created_at, valid_to, last_used_at)
  select $1, 'key_' || lpad(n::text, 26, '0'), u.user_id, 'worker-' || n, 'worker-' || n, sha256(n::text::bytea), right('000' || n, 4),
    now() - n * interval '1 hour', now() + (n % 360 + 1) * interval '1 day', case when n % 3 > 0 then now() - n * interval '1 minute' end
  from generate_series(1, $2::int) n
  join (select user_id, row_number() over (order by login <> $3, login) as at from users where tenant_id = $1) u
    on u.at = case when n <= 200 then 1 else n - 198 end`;
const webhooks = `insert into webhooks (tenant_id, webhook_id, url, types, description, secret, created_at, disabled_at, disabled_reason, audit_seq, event_seq)
  select $1, 'wh_' || lpad(n::text, 26, '0'), 'https://hooks-' || n || '.example/events', '["user.*"]', 'Warehouse ' || n, sha256(n::text::bytea),
    now() - n * interval '1 hour', case when n % 9 = 0 then now() end, case when n % 9 = 0 then 'by-user' end, t.audit_seq, 0
  from generate_series(1, $2::int) n, tenants t where t.tenant_id = $1`;
const requests = `insert into refused_requests (tenant_id, refusal_id, request_id, occurred_at, method, template, path, status, code, site_id,
    credential_kind, credential_id, user_id, address, agent, duration_ms)
  select $1, 'req_' || lpad(n::text, 26, '0'), 'request-' || n, now() - n * interval '55 seconds', 'GET', '/v1/user/list', '/v1/user/list',
    case when n % 7 = 0 then 500 else 403 end, case when n % 7 = 0 then 'server.internal' else 'auth.permission-missing' end, 'eu',
    'apiKey', k.api_key_id, k.user_id, '192.0.2.' || n % 250, 'curl/8.5.0', n % 90
  from generate_series(1, $2::int) n
  join (select api_key_id, user_id, row_number() over (order by api_key_id) as at from api_keys where tenant_id = $1) k on k.at = n % 2000 + 1`;
const previews = `insert into preview_configurations (tenant_id, preview_id, site_id, preview_key, version, title, is_enabled, problems)
  select $1, 'prev_' || lpad(n::text, 26, '0'), 'eu', 'campaign-' || n, 1, 'Campaign ' || n, true, '[]' from generate_series(1, $2::int) n`;
const revisions = `insert into preview_revisions (tenant_id, preview_id, n, written_at, user_id, login, via, hash, content)
  select $1, 'prev_' || lpad(n::text, 26, '0'), 1, now(), 'user_00000000000000000000000001', $3, 'apiKey', $4, $5
  from generate_series(1, $2::int) n`;
const content = Buffer.from(JSON.stringify({ title: "A campaign", blocks: [] }, null, 2));
const contentHash = createHash("sha256").update(content).digest("base64url");

/** Creates a large tenant for the portal in the store in `dataDir`. */
export async function fillTenant(dataDir: string): Promise<void> {
  await seedMany(dataDir, held.users);
  await openStore();
  const max = 1_000_000;
  await db()
    .insert(tenantQuotas)
    .values(quotaNames.map((quota) => ({ tenantId: tenant, quota, max })));
  await withOwnerConnection(async ({ client }) => {
    await client.query(keys, [tenant, held.keys, administrator.login]);
    await client.query(webhooks, [tenant, held.webhooks]);
    await client.query(requests, [tenant, held.requests]);
    await client.query(previews, [tenant, held.previews]);
    const written = [tenant, held.previews, administrator.login, contentHash, content];
    await client.query(revisions, written);
    await client.query("vacuum analyze");
  });
  await closeStore();
}
