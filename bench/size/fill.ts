import { createHash } from "node:crypto";
import { fill } from "@/bench/backup/fill";
import { addPeople } from "@/bench/users/data";
import { transaction } from "@/lib/database/open";
import { withOwnerConnection } from "@/lib/database/owner-connection";
import { addUse } from "@/lib/features/quotas/quotas";

/** The number of objects in one tenant, and the number of other tenants. */
export interface Size {
  users: number;
  customers: number;
  entries: number;
  revisions: number;
  tenants: number;
}

const nothing: Size = { users: 1, customers: 0, entries: 0, revisions: 0, tenants: 0 };
const revisionsOfOne = 100;
const trailDays = 60;
const dayMs = 86_400_000;

const content = Buffer.from(JSON.stringify({ title: "Size", text: "x".repeat(2000) }, null, 2));
const hash = createHash("sha256").update(content).digest("base64url");

const previews = `insert into preview_configurations (tenant_id, preview_id, site_id, preview_key, version, title, is_enabled, problems)
  select $1, 'prev_' || lpad(n::text, 26, '0'), $2, 'size-' || n, ${revisionsOfOne}, 'Size ' || n, true, '[]'
  from generate_series($3::int + 1, $4::int) n`;
const revisions = `insert into preview_revisions (tenant_id, preview_id, n, written_at, user_id, login, via, hash, content)
  select $1, 'prev_' || lpad(p::text, 26, '0'), n, now(), 'user_00000000000000000000000001', 'admin', 'apiKey', $4, $5
  from generate_series($2::int + 1, $3::int) p, generate_series(1, ${revisionsOfOne}) n`;
const tenants = `insert into tenants (tenant_id, name, kind, created_at, policy, audit_seq, audit_head, access_version)
  select 'beside-' || n, 'Beside ' || n, 'sandbox', now(), '{}', 0, t.audit_head, 0
  from generate_series($1::int + 1, $2::int) n, (select decode(repeat('00', 32), 'hex') as audit_head) t`;
const sites = `insert into sites (tenant_id, site_id, name, created_at)
  select 'beside-' || n, 'main', 'Main', now() from generate_series($1::int + 1, $2::int) n`;
const administrators = `insert into users (tenant_id, user_id, home_tenant_id, kind, state, login, login_key, name, email_address, search_text,
    registered_at, is_locked, is_system, must_change_password, grants, preferences)
  select 'beside-' || n, 'user_' || lpad(n::text, 26, '0'), 'beside-' || n, 'person', 'active', 'admin', 'admin', 'Admin', 'a@example.com',
    'admin', now(), false, false, false, '', '{}'
  from generate_series($1::int + 1, $2::int) n`;

/** Grows the tenant from its current size to `to`; at the size `whole` its trail covers 60 days. */
export async function grow(
  place: { tenant: string; site: string },
  { from = nothing, to, whole }: { from: Size | undefined; to: Size; whole: Size },
): Promise<void> {
  const { tenant, site } = place;
  await addPeople(tenant, from.users, to.users);
  await withOwnerConnection(async ({ client }) => {
    await client.query("set statement_timeout = 0");
    const [first, last] = [from.revisions, to.revisions].map((one) => one / revisionsOfOne);
    await client.query(previews, [tenant, site, first, last]);
    await client.query(revisions, [tenant, first, last, hash, content]);
    for (const statement of [tenants, sites, administrators])
      await client.query(statement, [from.tenants, to.tenants]);
  });
  const end = Date.now() - ((whole.entries - to.entries) / whole.entries) * trailDays * dayMs;
  const step = (trailDays * dayMs) / whole.entries;
  const entries = to.entries - from.entries;
  await fill(place, {
    customers: to.customers - from.customers,
    customersBefore: from.customers,
    entries,
    timeOf: (n) => new Date(end - (entries - n) * step),
  });
  // As the service updates them when it writes.
  await transaction(async (tx) => {
    await addUse(tx, tenant, "preview-bytes", (to.revisions - from.revisions) * content.length);
    await addUse(tx, tenant, "customers", to.customers - from.customers);
  });
}
