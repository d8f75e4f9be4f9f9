import { eq } from "drizzle-orm";
import { withAccessChange } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { lifetimeSeconds, maxApiKeyDays } from "@/lib/access/lifetimes";
import { db, type Transaction } from "@/lib/database/open";
import { tenants } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import type { AssertUnchanged } from "@/lib/http/answer";
import type { SecurityPolicy } from "@/lib/protocol/documents/security-policy";
import { durationText } from "@/lib/protocol/durations";
import { invalid } from "@/lib/protocol/errors";
import type { NewSecurityPolicy, SecurityPolicyAnswer } from "./policy-contract";

/** The tenant's lifetimes and limits; the product's defaults apply to absent members. */
export async function securityPolicy(tenantId: string): Promise<SecurityPolicy> {
  const [tenant] = await db()
    .select({ policy: tenants.policy })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  return tenant?.policy ?? {};
}

export async function tenantExists(tenantId: string): Promise<boolean> {
  const found = await db()
    .select({ tenantId: tenants.tenantId })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  return found.length > 0;
}

/** When a tenant of this kind was created; undefined if it does not exist or is of another kind. */
export async function findCreationTime(
  tenantId: string,
  kind: (typeof tenants.$inferSelect)["kind"],
): Promise<Date | undefined> {
  const [found] = await db()
    .select({ kind: tenants.kind, createdAt: tenants.createdAt })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  return found?.kind === kind ? found.createdAt : undefined;
}

const daySeconds = 86_400;

type Lifetime = Exclude<
  keyof SecurityPolicyAnswer,
  | "customerRegistration"
  | "passwordTokensByApiKey"
  | "stepUp"
  | "secondFactor"
  | "secondFactorFrom"
  | "signIn"
>;

/** The effective lifetimes of the tenant: its own, otherwise the product's defaults. */
function effective(policy: SecurityPolicy): Record<Lifetime, number> {
  return {
    sessionIdle: policy.sessionIdleSeconds ?? lifetimeSeconds("SESSION_IDLE"),
    sessionAbsolute: policy.sessionAbsoluteSeconds ?? lifetimeSeconds("SESSION_ABSOLUTE"),
    apiKeyMaximumAge: (policy.longestApiKeyDays ?? maxApiKeyDays) * daySeconds,
    anonymousToken: policy.anonymousTokenSeconds ?? lifetimeSeconds("ANONYMOUS_TOKEN_TTL"),
    accessToken: policy.accessTokenSeconds ?? lifetimeSeconds("ACCESS_TOKEN_TTL"),
    refreshIdle: policy.refreshIdleSeconds ?? lifetimeSeconds("REFRESH_IDLE"),
    refreshAbsolute: policy.refreshAbsoluteSeconds ?? lifetimeSeconds("REFRESH_ABSOLUTE"),
    refreshGrace: policy.refreshGraceSeconds ?? lifetimeSeconds("REFRESH_GRACE"),
  };
}

function answerOf(policy: SecurityPolicy): SecurityPolicyAnswer {
  const texts = Object.entries(effective(policy)).map(([name, seconds]) => [
    name,
    durationText(seconds),
  ]);
  const durations = Object.fromEntries(texts) as Record<Lifetime, string>;
  const { allowsRegistration = true, allowsPasswordTokensByApiKey = false } = policy;
  const { secondFactor = "off", secondFactorFrom } = policy;
  return {
    ...durations,
    customerRegistration: allowsRegistration,
    passwordTokensByApiKey: allowsPasswordTokensByApiKey,
    stepUp: stepUpText(policy.stepUpSeconds),
    secondFactor,
    ...(secondFactorFrom !== undefined && { secondFactorFrom }),
    signIn: {
      password: policy.passwordSignIn ?? "everybody",
      passkeys: policy.passkeySignIn ?? "on",
    },
  };
}

const stepUpText = (seconds: number | undefined) =>
  seconds === undefined ? "auto" : seconds === 0 ? "off" : durationText(seconds);

function stepUpSeconds(given: NewSecurityPolicy["stepUp"]): number | undefined {
  if (given === undefined || given === "auto") return undefined;
  return given === "off" ? 0 : given;
}

function stored(given: NewSecurityPolicy): SecurityPolicy {
  const { apiKeyMaximumAge } = given;
  const secondFactor = given.secondFactor === "off" ? undefined : given.secondFactor;
  const members: { [Name in keyof SecurityPolicy]-?: SecurityPolicy[Name] | undefined } = {
    sessionIdleSeconds: given.sessionIdle,
    sessionAbsoluteSeconds: given.sessionAbsolute,
    longestApiKeyDays: apiKeyMaximumAge === undefined ? undefined : apiKeyMaximumAge / daySeconds,
    anonymousTokenSeconds: given.anonymousToken,
    accessTokenSeconds: given.accessToken,
    refreshIdleSeconds: given.refreshIdle,
    refreshAbsoluteSeconds: given.refreshAbsolute,
    refreshGraceSeconds: given.refreshGrace,
    allowsRegistration: given.customerRegistration,
    allowsPasswordTokensByApiKey: given.passwordTokensByApiKey,
    stepUpSeconds: stepUpSeconds(given.stepUp),
    secondFactor,
    secondFactorFrom: secondFactor && given.secondFactorFrom,
    passwordSignIn: given.signIn?.password === "emergency-only" ? "emergency-only" : undefined,
    passkeySignIn: given.signIn?.passkeys === "off" ? "off" : undefined,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function checkOrder(policy: SecurityPolicy): void {
  const { sessionIdle, sessionAbsolute, refreshIdle, refreshAbsolute } = effective(policy);
  const late = (pointer: string, other: string) => ({
    pointer,
    detail: `${pointer} must not be longer than ${other}.`,
  });
  const problems = [
    ...(sessionIdle > sessionAbsolute ? [late("/sessionIdle", "/sessionAbsolute")] : []),
    ...(refreshIdle > refreshAbsolute ? [late("/refreshIdle", "/refreshAbsolute")] : []),
  ];
  if (problems.length > 0) throw invalid(problems);
}

export async function getSecurityPolicy(caller: Caller): Promise<SecurityPolicyAnswer> {
  return answerOf(await securityPolicy(caller.tenantId));
}

/**
 * Replaces the tenant's policy. Existing credentials keep their lifetimes, and sessions continue.
 * @param assertSafe throws if restricting passwords could lock all users out
 */
export async function setSecurityPolicy(
  caller: Caller,
  given: NewSecurityPolicy,
  assertUnchanged: AssertUnchanged,
  assertSafe: (tx: Transaction, tenantId: string) => Promise<void>,
): Promise<SecurityPolicyAnswer> {
  const { tenantId } = caller;
  const policy = stored(given);
  checkOrder(policy);
  return withAccessChange(tenantId, async (tx) => {
    const [row] = await tx
      .select({ policy: tenants.policy })
      .from(tenants)
      .where(eq(tenants.tenantId, tenantId));
    const [before, after] = [answerOf(row?.policy ?? {}), answerOf(policy)];
    await assertUnchanged(() => before);
    if (policy.passwordSignIn !== undefined && row?.policy.passwordSignIn === undefined)
      await assertSafe(tx, tenantId);
    await tx.update(tenants).set({ policy }).where(eq(tenants.tenantId, tenantId));
    const names = Object.keys({ ...before, ...after }) as (keyof SecurityPolicyAnswer)[];
    const changed = names.filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    );
    const changes = Object.fromEntries(
      changed.map((name) => [name, { before: before[name], after: after[name] }]),
    );
    await record(tx, actingAs(caller), {
      action: "tenant.security-policy-changed",
      target: { type: "tenant", id: tenantId },
      changes,
    });
    return after;
  });
}
