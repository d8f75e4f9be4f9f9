import type { JWK } from "jose";
import { db, read, readAccess } from "./open";
import { readAllTenants, readOfTenants } from "./tenant-scans";

/**
 * The only statements that do not name one tenant, each with its reason.
 * The statement guard allows these texts and no other.
 */
export const globalStatements = {
  /** Every process reads the change counters of all its active tenants at once, twice a second. */
  accessVersions:
    'select tenant_id as "tenantId", access_version::float8 as version, endings_seq as endings from tenants where tenant_id = any($1)',
  /** The home rows of several members of a tenant, whose credentials are verified at once: each is in its own home tenant. */
  peopleOfTenants: `select u.tenant_id as "homeTenantId", u.user_id as "userId", u.state, u.is_locked as "isLocked", u.locked_until as "lockedUntil", u.must_change_password as "mustChangePassword",
  u.credential_epoch as "credentialEpoch", t.access_version::float8 as version
  from users u join tenants t on t.tenant_id = u.tenant_id where u.tenant_id = any($1) and u.user_id = any($2)`,
  /** Whether this is a first run; tenants of the fixtures do not count, in whatever order they were created. */
  hasTenants: "select exists (select 1 from tenants where tenant_id not like 'fix-%') as \"isAny\"",
  /** A backup is restored only into an unused store. */
  isEmptyStore:
    'select not exists (select 1 from tenants) and not exists (select 1 from signing_keys) as "isEmpty"',
  /** The fixtures reject a store that has real tenants. */
  tenants: 'select tenant_id as "tenantId", kind from tenants order by tenant_id',
  /** Support sees every tenant. */
  tenantPage:
    'select tenant_id as id, name, kind, created_at as "createdAt" from tenants where (created_at, tenant_id) < ($1, $2) order by created_at desc, tenant_id desc limit $3',
  /** The hourly cleaning goes through all tenants, a page at a time, and cleans one at a time. */
  tenantsAfter:
    'select tenant_id as "tenantId" from tenants where tenant_id > $1 order by tenant_id limit 500',
  /** Once a minute the end of each chain is compared with its newest head, a page of the primary keys at a time. */
  chainEnds:
    'select t.tenant_id as "tenantId", t.audit_seq::float8 as seq, t.audit_head as hash, t.audit_mac as mac, h.seq::float8 as "headSeq", h.hash as "headHash", h.mac as "headMac", h.signed_at as "signedAt", h.kid, h.signature from tenants t left join lateral (select seq, hash, mac, signed_at, kid, signature from audit_heads where tenant_id = t.tenant_id order by seq desc, signed_at desc limit 1) h on true where t.tenant_id > $1 order by t.tenant_id limit 500',
  /** After a rotation of SECRET_KEY, heads and checkpoints signed by the former keys are signed again, one tenant at a time. */
  tenantsSignedByFormerKeys:
    'select tenant_id as "tenantId" from audit_heads where kid = any($1) union select tenant_id from audit_checkpoints where kid = any($1) or kid is null',
  /** The compactor packs one tenant at a time. */
  tailedTenants: 'select distinct tenant_id as "tenantId" from metric_tails',
  /** The delivery of events reads every ten seconds which tenants have webhooks, and when the next attempt of each is due. */
  tenantsWithWebhooks:
    'select tenant_id as "tenantId", min(due_at) as "dueAt", bool_or(lease_holder is not null) as "isLeased" from webhooks where disabled_at is null and tenant_id > $1 group by tenant_id order by tenant_id limit 500',
  /** The same for tenants with audit streams. */
  tenantsWithStreams:
    'select tenant_id as "tenantId", min(due_at) as "dueAt", bool_or(lease_holder is not null) as "isLeased" from audit_streams where disabled_at is null and tenant_id > $1 group by tenant_id order by tenant_id limit 500',
  /** Each process reads every ten seconds which tenants have alert rules that are due. */
  tenantsWithAlerts:
    'select tenant_id as "tenantId", min(due_at) as "dueAt", false as "isLeased" from alerts where tenant_id > $1 group by tenant_id order by tenant_id limit 500',
  /** The end of the event feed of each of these tenants: read for those with webhooks or audit streams, several times a second. */
  feedEnds:
    'select tenant_id as "tenantId", audit_seq::float8 as "auditSeq", event_seq::float8 as "eventSeq" from tenants where tenant_id = any($1)',
  /** Each process looks every few seconds for unfinished imports of customers: the index contains only those. */
  openImports:
    'select tenant_id as "tenantId", import_id as "importId", state, lease_holder as "leaseHolder", lease_beat::float8 as "leaseBeat" from customer_imports where ended_at is null order by tenant_id limit 500',
  /** Each process looks every second for releases of preview configurations that are due: the index contains only the scheduled ones. */
  dueReleases:
    'select tenant_id as "tenantId", site_id as "siteId", release_id as "releaseId" from preview_releases where state = \'scheduled\' and publish_at <= $1 order by publish_at limit 100',
  /** Each process looks every second for tenants with mails that are due: the index contains only waiting mails. */
  tenantsWithMails:
    'select distinct tenant_id as "tenantId" from mails where due_at is not null and due_at <= $1 and tenant_id > $2 order by tenant_id limit 500',
  /** The keys that sign tokens belong to the whole service. */
  signingKeys:
    'select number, kid, public_key as "publicKey", private_key as "privateKey", created_at as "createdAt", active_at as "activeAt" from signing_keys order by number',
  addSigningKey:
    "insert into signing_keys (number, kid, public_key, private_key, created_at, active_at) values ($1, $2, $3, $4, $5, $6) on conflict (number) do nothing",
  /** Keys that have not signed for days: for each kind, the newest key of that age and all later ones stay. */
  deleteOldSigningKeys:
    "delete from signing_keys where exists (select from signing_keys next where split_part(next.kid, '_', 1) = split_part(signing_keys.kid, '_', 1) and next.number > signing_keys.number and next.active_at < $1)",
  /** After SECRET_KEY was rotated. If two processes do it at once, the second has nothing to do. */
  resealSigningKey: "update signing_keys set private_key = $3 where kid = $1 and private_key = $2",
  /** A start checks once whether there are passkeys of a host other than the current one, which is not a matter of one tenant. */
  passkeysOfOtherHosts:
    "select coalesce(rp_id, '') as host, count(*)::int as passkeys from second_factors where kind = 'passkey' and rp_id <> $1 group by rp_id order by 1",
  /** A leak report names no tenant: the finder of the secret does not know it. Read only for keys with a valid checksum, at a low rate. */
  leakedApiKey:
    'select tenant_id as "tenantId", api_key_id as "apiKeyId", user_id as "userId" from api_keys where secret_hash = $1 or previous_hash = $1',
} as const;

export interface AccessVersion {
  tenantId: string;
  version: number;
  endings: number;
}

/** The change counters of the given tenants. */
export function accessVersions(tenantIds: string[]): Promise<readonly AccessVersion[]> {
  return readAccess<AccessVersion>("access-versions", globalStatements.accessVersions, [tenantIds]);
}

/** The columns of a person's own row that decide whether their credentials work. */
export interface PersonState {
  homeTenantId: string;
  userId: string;
  state: string;
  isLocked: boolean;
  lockedUntil: Date | null;
  mustChangePassword: boolean;
  credentialEpoch: number;
  version: number;
}

/** People by their home tenants and ids: all rows with one of the tenants and one of the ids. */
export function peopleOfTenants(
  tenantIds: string[],
  userIds: string[],
): Promise<readonly PersonState[]> {
  return readAccess<PersonState>("people-of-tenants", globalStatements.peopleOfTenants, [
    tenantIds,
    userIds,
  ]);
}

/** Whether the store has any tenant but those of the fixtures. */
export async function hasTenants(): Promise<boolean> {
  const [row] = await read<{ isAny: boolean }>("has-tenants", globalStatements.hasTenants, []);
  return row?.isAny ?? false;
}

export async function allTenants(): Promise<readonly { tenantId: string; kind: string }[]> {
  const text = globalStatements.tenants;
  return (await db().$client.query<{ tenantId: string; kind: string }>(text)).rows;
}

export interface TenantRow {
  id: string;
  name: string;
  kind: "platform" | "production" | "sandbox" | "demo";
  createdAt: Date;
}

/** Tenants created before the given one, newest first. */
export function tenantPage(
  before: { createdAt: Date; id: string },
  limit: number,
): Promise<readonly TenantRow[]> {
  return read<TenantRow>("tenant-page", globalStatements.tenantPage, [
    before.createdAt,
    before.id,
    limit,
  ]);
}

/** The next tenants in order of their ids. */
export async function tenantsAfter(after: string): Promise<string[]> {
  const text = globalStatements.tenantsAfter;
  const { rows } = await db().$client.query<{ tenantId: string }>(text, [after]);
  return rows.map(({ tenantId }) => tenantId);
}

/** Deletes the keys that had a successor in use before an instant. */
export async function deleteOldSigningKeys(before: Date): Promise<void> {
  await db().$client.query(globalStatements.deleteOldSigningKeys, [before]);
}

/** A tenant with work of a kind, when the next work is due, and, if processes lease it, whether one has the lease. */
interface DueTenant {
  tenantId: string;
  dueAt: Date | null;
  isLeased: boolean;
}

/** The next tenants with enabled webhooks in order of their ids, and when to look at each. */
export const tenantsWithWebhooks = (after: string) =>
  readAllTenants<DueTenant>("webhook-tenants", globalStatements.tenantsWithWebhooks, [after]);

/** The same for audit streams. */
export const tenantsWithStreams = (after: string) =>
  readAllTenants<DueTenant>("stream-tenants", globalStatements.tenantsWithStreams, [after]);

/** The next tenants with alert rules in order of their ids, and when the first of each is due. */
export const tenantsWithAlerts = (after: string) =>
  readAllTenants<DueTenant>("alert-tenants", globalStatements.tenantsWithAlerts, [after]);

/** The ends of the tenants' event feeds. */
export const feedEnds = (tenantIds: readonly string[]) =>
  readOfTenants<{ tenantId: string; auditSeq: number; eventSeq: number }>(
    "feed-ends",
    globalStatements.feedEnds,
    tenantIds,
  );

/** The tenants that have metrics which are not packed yet. */
export async function tenantsWithTails(): Promise<string[]> {
  const { rows } = await db().$client.query<{ tenantId: string }>(globalStatements.tailedTenants);
  return rows.map(({ tenantId }) => tenantId);
}

/** The end of a tenant's chain and its newest head, written by any process. */
export interface ChainEnd {
  tenantId: string;
  seq: number;
  hash: Buffer;
  mac: Buffer | null;
  headSeq: number | null;
  headHash: Buffer;
  headMac: Buffer | null;
  signedAt: Date;
  kid: string;
  signature: Buffer;
}

/** The chains of the next tenants in order of their ids. */
export async function chainEnds(after: string): Promise<readonly ChainEnd[]> {
  return (await db().$client.query<ChainEnd>(globalStatements.chainEnds, [after])).rows;
}

/** The tenants whose trail has a head or a checkpoint that one of these keys signed. */
export async function tenantsSignedByFormerKeys(kids: readonly string[]): Promise<string[]> {
  const { rows } = await db().$client.query<{ tenantId: string }>(
    globalStatements.tenantsSignedByFormerKeys,
    [[...kids]],
  );
  return rows.map(({ tenantId }) => tenantId);
}

export interface SigningKeyRow {
  number: number;
  kid: string;
  publicKey: JWK;
  privateKey: Buffer;
  createdAt: Date;
  activeAt: Date;
}

/** Every key that ever signed, in order. */
export function signingKeys(): Promise<readonly SigningKeyRow[]> {
  return readAccess<SigningKeyRow>("signing-keys", globalStatements.signingKeys, []);
}

/** Adds a key unless there is one with that number. */
export async function addSigningKey(key: SigningKeyRow): Promise<void> {
  const { number, kid, publicKey, privateKey, createdAt, activeAt } = key;
  const values = [number, kid, JSON.stringify(publicKey), privateKey, createdAt, activeAt];
  await db().$client.query(globalStatements.addSigningKey, values);
}

/** Stores a private key that was sealed again, unless another process has changed it. */
export async function resealSigningKey(kid: string, from: Buffer, to: Buffer): Promise<void> {
  await db().$client.query(globalStatements.resealSigningKey, [kid, from, to]);
}

/** The key with this secret, in any tenant, by the SHA-256 of the secret. */
export async function leakedApiKey(
  secretHash: Buffer,
): Promise<{ tenantId: string; apiKeyId: string; userId: string } | undefined> {
  const [found] = await read<{ tenantId: string; apiKeyId: string; userId: string }>(
    "leaked-key",
    globalStatements.leakedApiKey,
    [secretHash],
  );
  return found;
}
