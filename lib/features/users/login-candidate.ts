import type { TenantRoles } from "@/lib/access/caller";
import { parseGrants } from "@/lib/access/credential-store";
import { isLockedAt } from "@/lib/access/locks";
import { read } from "@/lib/database/open";

/** A user who is signing in: the row of the tenant, with password and state from the home tenant. */
export interface LoginCandidate {
  userId: string;
  login: string;
  state: "active" | "invited" | "deactivated";
  isLocked: boolean;
  passwordHash: string | null;
  passwordExpiresAt: Date | null;
  /** From the home row, read with the password hash. */
  credentialEpoch: number;
  homeTenantId: string;
  /** Whether the password is not enough. */
  hasSecondFactor: boolean;
  /** Whether the tenant's row has another name or e-mail address than the home row. */
  isStale: boolean;
  roles: TenantRoles;
  siteIds: ReadonlySet<string>;
}

interface PersonRow {
  name: string;
  emailAddress: string;
  state: LoginCandidate["state"];
  isLocked: boolean;
  lockedUntil: Date | null;
  passwordHash: string | null;
  passwordExpiresAt: Date | null;
  credentialEpoch: number;
  hasSecondFactor: boolean;
}

interface MemberRow extends PersonRow {
  userId: string;
  homeTenantId: string;
  login: string;
  grants: string;
  sites: string | null;
}

const person = `u.name, u.email_address as "emailAddress", u.state, u.is_locked as "isLocked", u.locked_until as "lockedUntil", u.password_hash as "passwordHash", u.password_expires_at as "passwordExpiresAt", u.credential_epoch as "credentialEpoch",
  exists (select 1 from second_factors f where f.tenant_id = $1 and f.user_id = u.user_id and f.confirmed_at is not null) as "hasSecondFactor"`;

const inTenant = `select u.user_id as "userId", u.home_tenant_id as "homeTenantId", u.login, ${person},
  u.grants,
  (select string_agg(s.site_id, ',') from sites s where s.tenant_id = $1) as sites
  from users u where u.tenant_id = $1`;

const byLogin = `${inTenant} and u.login_key = $2`;
const byPerson = `${inTenant} and u.user_id = $2 and u.home_tenant_id = $3`;

const byHome = `select ${person} from users u where u.tenant_id = $1 and u.user_id = $2`;

/** Two statements for a user whose home is another tenant, one for others; no join across tenants. */
export async function findLoginCandidate(
  tenantId: string,
  loginKey: string,
): Promise<LoginCandidate | undefined> {
  const [row] = await read<MemberRow>("candidate", byLogin, [tenantId, loginKey]);
  return row && toLoginCandidate(tenantId, row);
}

/** The same user in another tenant, if it has a row there. */
export async function findMemberCandidate(
  tenantId: string,
  person: { userId: string; homeTenantId: string },
): Promise<LoginCandidate | undefined> {
  const [row] = await read<MemberRow>("candidate-person", byPerson, [
    tenantId,
    person.userId,
    person.homeTenantId,
  ]);
  return row && toLoginCandidate(tenantId, row);
}

async function toLoginCandidate(
  tenantId: string,
  row: MemberRow,
): Promise<LoginCandidate | undefined> {
  const isGuest = row.homeTenantId !== tenantId;
  const [home] = isGuest
    ? await read<PersonRow>("candidate-home", byHome, [row.homeTenantId, row.userId])
    : [row];
  if (!home) return undefined;
  const now = new Date();
  return {
    userId: row.userId,
    login: row.login,
    state: home.state,
    isLocked: isLockedAt(row, now) || isLockedAt(home, now),
    passwordHash: home.passwordHash,
    passwordExpiresAt: home.passwordExpiresAt,
    credentialEpoch: home.credentialEpoch,
    homeTenantId: row.homeTenantId,
    hasSecondFactor: home.hasSecondFactor,
    isStale: home.name !== row.name || home.emailAddress !== row.emailAddress,
    roles: parseGrants(row.grants),
    siteIds: new Set(row.sites ? row.sites.split(",") : []),
  };
}
