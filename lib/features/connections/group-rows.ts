import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Executor, Transaction } from "@/lib/database/open";
import { identities } from "@/lib/database/schema/schema";

/** A user's membership in a group, as reported by a connection. */
export interface Membership {
  userId: string;
  connectionId: string;
  group: string;
}

const array = (values: readonly string[]) => sql`${sql.param([...values])}::text[]`;

const provisioned = (tenantId: string) => sql`select m.user_id, m.connection_id, g.name
  from provisioned_group_members m
  join provisioned_groups g on g.tenant_id = ${tenantId} and g.connection_id = m.connection_id and g.group_id = m.group_id
  left join provisioned_users p on p.tenant_id = ${tenantId} and p.connection_id = m.connection_id and p.user_id = m.user_id
  where m.tenant_id = ${tenantId} and p.deleted_at is null and (p.is_own or exists (select 1 from identities l
    where l.tenant_id = ${tenantId} and l.connection_id = m.connection_id and l.user_id = m.user_id))`;

const claimed = (tenantId: string) => sql`select i.user_id, i.connection_id, c.name
  from identities i
  join connections n on n.tenant_id = ${tenantId} and n.connection_id = i.connection_id and n.issuer = i.issuer
  cross join lateral unnest(i.groups) as c(name)
  where i.tenant_id = ${tenantId} and n.is_enabled and not exists (select 1 from provisioned_groups g
    where g.tenant_id = ${tenantId} and g.connection_id = i.connection_id and g.name = c.name)`;

/**
 * The group memberships from provisioning (of users in reach of the connection) and, while the connection is enabled, from the last
 * sign-in. For a provisioned group only provisioning counts, because the last sign-in may be long ago.
 */
async function select(on: Executor, tenantId: string, condition: SQL): Promise<Membership[]> {
  const found = await on.execute<{ user_id: string; connection_id: string; name: string }>(
    sql`select s.user_id, s.connection_id, s.name from (${provisioned(tenantId)} union ${claimed(tenantId)})
      as s(user_id, connection_id, name) where ${condition}`,
  );
  return found.rows.map((row) => ({
    ...{ userId: row.user_id, connectionId: row.connection_id, group: row.name },
  }));
}

/** The groups of these users. */
export const membershipsOf = (on: Executor, tenantId: string, userIds: readonly string[]) =>
  select(on, tenantId, sql`s.user_id = any(${array(userIds)})`);

/** All members of groups with these names. */
export const membersOfGroups = (on: Executor, tenantId: string, groups: readonly string[]) =>
  select(on, tenantId, sql`s.name = any(${array(groups)})`);

interface IdentityKey {
  tenantId: string;
  identityId: string;
}

/** Stores the groups that a sign-in reported for the user. */
export async function setClaimedGroups(
  tx: Transaction,
  { tenantId, identityId }: IdentityKey,
  groups: string[] | null,
): Promise<void> {
  await tx
    .update(identities)
    .set({ groups })
    .where(and(eq(identities.tenantId, tenantId), eq(identities.identityId, identityId)));
}

interface ConnectionKey {
  tenantId: string;
  connectionId: string;
}

/** Deletes the memberships that sign-ins reported, of one group or of all. */
export async function forgetClaimedGroups(
  tx: Transaction,
  { tenantId, connectionId }: ConnectionKey,
  group?: string,
): Promise<void> {
  const { groups } = identities;
  await tx
    .update(identities)
    .set({ groups: group === undefined ? null : sql`array_remove(${groups}, ${group})` })
    .where(
      and(
        eq(identities.tenantId, tenantId),
        eq(identities.connectionId, connectionId),
        group === undefined ? sql`${groups} is not null` : sql`${group} = any(${groups})`,
      ),
    );
}
