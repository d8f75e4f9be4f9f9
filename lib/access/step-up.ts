import { readAccess } from "@/lib/database/open";
import type { Endpoint } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";
import { stepUpChallenge } from "@/lib/protocol/http-fields";
import type { Caller } from "./caller";
import { policyOf } from "./sites";

/** Maximum age of a proof of identity if the tenant's policy does not specify one. */
const usualSeconds = 900;
/** The minimum that a policy may set as the maximum age. */
const leastSeconds = 300;

const factorOfPerson = `select kind from second_factors
  where tenant_id = $1 and user_id = $2 and confirmed_at is not null order by kind limit 1`;
const factorOfTenant = `select true as "isThere" from second_factors
  where tenant_id = $1 and confirmed_at is not null limit 1`;

interface Found {
  isThere: boolean;
}

/** The provider that the session was opened with, else the one of the person's last sign-in. */
const providerOfPerson = `select i.tenant_id || '.' || i.connection_id as provider,
    u.password_hash is null as "hasNoPassword"
  from identities i
  join connections c on c.tenant_id = $1 and c.connection_id = i.connection_id
    and c.issuer = i.issuer and c.is_enabled
  join users u on u.tenant_id = $1 and u.user_id = i.user_id
  where i.tenant_id = $1 and i.user_id = $2
  order by i.identity_id = (
      select s.identity_id from sessions s where s.tenant_id = $1 and s.session_ref = $3
    ) desc nulls last, i.last_used_at desc nulls last
  limit 1`;

async function factorOf({ homeTenantId, userId }: Caller): Promise<"passkey" | "code" | undefined> {
  const person = [homeTenantId, userId];
  const [row] = await readAccess<{ kind: string }>("factor-of-person", factorOfPerson, person);
  if (!row) return undefined;
  return row.kind === "passkey" ? "passkey" : "code";
}

/**
 * How a person confirms their identity: by passkey, else by code. A person with neither confirms at the provider,
 * `TENANT.CONNECTION`, if the session was opened there or no password is set or accepted, else by password.
 */
async function proofOf(caller: Caller): Promise<string> {
  const factor = await factorOf(caller);
  if (factor) return factor;
  const { homeTenantId, userId, credentialId, authenticatedBy } = caller;
  const [row] = await readAccess<{ provider: string; hasNoPassword: boolean }>(
    "provider-of-person",
    providerOfPerson,
    [homeTenantId, userId, credentialId],
  );
  const isOfProvider = authenticatedBy?.split(" ").includes("connection");
  if (row && (isOfProvider || row.hasNoPassword)) return row.provider;
  const { passwordSignIn } = await policyOf(homeTenantId);
  return row && passwordSignIn === "emergency-only" ? row.provider : "password";
}

async function isAnyFactorIn(tenantId: string): Promise<boolean> {
  return (await readAccess<Found>("factor-of-tenant", factorOfTenant, [tenantId])).length > 0;
}

/** Maximum age of the proof; undefined if none is required. A policy can make "always" stricter, never laxer. */
async function maxAgeSeconds(
  caller: Caller,
  stepUp: NonNullable<Endpoint["stepUp"]>,
): Promise<number | undefined> {
  const { stepUpSeconds } = await policyOf(caller.tenantId);
  if (stepUp === "always") return Math.min(stepUpSeconds || usualSeconds, usualSeconds);
  if (stepUpSeconds) return stepUpSeconds;
  if (stepUpSeconds === 0) return undefined;
  const isUsed = (await factorOf(caller)) !== undefined || (await isAnyFactorIn(caller.tenantId));
  return isUsed ? usualSeconds : undefined;
}

const provenAt = `select coalesce(authenticated_at, created_at) as at from sessions
  where tenant_id = $1 and session_ref = $2`;

const ageSeconds = (at: Date | undefined) => (Date.now() - (at?.getTime() ?? 0)) / 1000;

/**
 * Throws 401 for a session, or a bearer of one, whose password or second factor was checked too long ago. API keys are exempt.
 * The cached session may be older than its step-up on another node, so the store is read before rejecting.
 */
export async function assertSteppedUp(
  caller: Caller,
  stepUp: NonNullable<Endpoint["stepUp"]>,
): Promise<void> {
  const { kind, tenantId, credentialId, authenticatedAt } = caller;
  if (kind === "apiKey" || ageSeconds(authenticatedAt) <= leastSeconds) return;
  const maxSeconds = await maxAgeSeconds(caller, stepUp);
  if (maxSeconds === undefined || ageSeconds(authenticatedAt) <= maxSeconds) return;
  const [stored] = await readAccess<{ at: Date }>("session-proof", provenAt, [
    tenantId,
    credentialId,
  ]);
  if (ageSeconds(stored?.at) <= maxSeconds) return;
  throw new ApiError(
    "auth.step-up-required",
    "Confirm your identity to do this: it was checked too long ago.",
    await proofOf(caller),
    { headers: stepUpChallenge(kind, maxSeconds) },
  );
}
