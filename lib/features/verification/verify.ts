import type { z } from "zod";
import type { StoredCredential } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { type ConsumerToken, readConsumerToken } from "@/lib/access/consumer-tokens";
import { type CredentialLookup, findCredentials } from "@/lib/access/credential-batch";
import { countKeyUses, takeFurtherUses, windowEndsInMs } from "@/lib/access/key-rates";
import { noteUse } from "@/lib/access/last-used";
import { readManagementBearer } from "@/lib/access/management-bearer";
import { notePreviousUse } from "@/lib/access/previous-uses";
import { countRequest } from "@/lib/access/rate-limits";
import { isApiKey, isSessionId, sha256 } from "@/lib/access/secrets";
import { tokenStatus } from "@/lib/access/token-revocations";
import { durationText } from "@/lib/protocol/durations";
import { publicUrl } from "@/lib/protocol/settings";
import { checkCredential, type Described, describeCredential, type Purpose } from "./check";
import type { introspectToken as declared, PresentedCredential, Verdict } from "./contract";
import { type Code, maxCacheSeconds, verifyOperation } from "./values";

async function checkToken(
  token: ConsumerToken,
  { permission, site }: Purpose,
  now: number,
): Promise<Code> {
  if (token.expiresAt <= now) return "EXPIRED";
  const state = await tokenStatus(token.tenantId, token.familyRef, token.customerId);
  if (state === "ended") return "REVOKED";
  if (state === "locked") return "LOCKED";
  if (site !== undefined && site !== token.siteId) return "WRONG_SITE";
  // Only management users have permissions, customers have none.
  return permission === undefined ? "VALID" : "INSUFFICIENT_PERMISSION";
}

/**
 * The answer about the access token of a customer; undefined for a text that is not one of this tenant. An anonymous token
 * proves nothing, because anyone can obtain one, and is treated as unknown.
 */
async function verifyCustomerToken(
  tenantId: string,
  text: string,
  purpose: Purpose,
): Promise<Verdict | undefined> {
  const token = await readConsumerToken(text);
  if (token?.kind !== "customer" || token.tenantId !== tenantId) return undefined;
  const now = Date.now();
  const code = await checkToken(token, purpose, now);
  const known = {
    code,
    kind: "customer" as const,
    credentialId: token.familyRef,
    subject: token.customerId,
    expiresAt: new Date(token.expiresAt).toISOString(),
  };
  if (code !== "VALID") return { ...known, active: false, cacheFor: 0 };
  const left = Math.floor((token.expiresAt - now) / 1000);
  const cacheFor = Math.max(0, Math.min(maxCacheSeconds, left));
  return { ...known, active: true, permissions: [], sites: [token.siteId], cacheFor };
}

const unknown: Verdict = { active: false, code: "UNKNOWN", cacheFor: 0 };

/** The lookup of a credential; `expiresAt` is the expiry of a bearer token, in milliseconds since the epoch. */
interface Wanted extends CredentialLookup {
  expiresAt?: number;
}

/** The lookup for a text; undefined if it cannot be a management credential of the tenant. */
async function wantedOf(
  tenantId: string,
  { apiKey, sessionId, token }: PresentedCredential,
): Promise<Wanted | undefined> {
  if (apiKey !== undefined)
    return isApiKey(apiKey) ? { kind: "apiKey", lookup: sha256(apiKey) } : undefined;
  if (sessionId !== undefined)
    return isSessionId(sessionId) ? { kind: "session", lookup: sha256(sessionId) } : undefined;
  const bearer = await readManagementBearer(token ?? "", tenantId);
  return bearer && { kind: "bearer", lookup: bearer.sessionRef, expiresAt: bearer.expiresAt };
}

/** A bearer token expires at its own expiry or with its session, whichever is first. */
function withOwnEnd(credential: StoredCredential, { expiresAt }: Wanted): StoredCredential {
  const { principal } = credential;
  if (expiresAt === undefined || expiresAt >= principal.expiresAt.getTime()) return credential;
  return { ...credential, principal: { ...principal, expiresAt: new Date(expiresAt) } };
}

/** Records a verification as a use, for the last use that is shown and the idle timeout of a session. */
function note(caller: Caller, { principal, retiresAt }: StoredCredential, address?: string): void {
  const { tenantId, credentialId, kind, idleSeconds } = principal;
  const origin = { ...caller, address: address ?? caller.address };
  const use = { tenantId, credentialId, at: Date.now(), address: origin.address };
  noteUse(
    {
      ...use,
      kind: kind === "apiKey" ? "apiKey" : "session",
      operation: verifyOperation,
    },
    idleSeconds,
  );
  if (retiresAt !== undefined) notePreviousUse(tenantId, credentialId, origin, use.at);
}

/** A credential that was found, and its code so far. */
interface Checked {
  credential: StoredCredential;
  presented: PresentedCredential;
  code: Code;
  /** Set if uses of a rate-limited key were requested in advance. */
  taken?: { granted: number; resetMs: number };
}

/** Counts the uses of keys that have their own limit, usually all in one statement: those beyond it are not valid. */
async function countUses(
  tenantId: string,
  checked: readonly (Checked | undefined)[],
): Promise<void> {
  const limited = checked.flatMap((one) => {
    const rate = one?.credential.principal.keyLimits?.rate;
    if (!rate || one.code !== "VALID") return [];
    return [{ one, use: { apiKeyId: one.credential.principal.credentialId, rate } }];
  });
  if (limited.length === 0) return;
  const uses = limited.map(({ use }) => use);
  const admitted = await countKeyUses(tenantId, uses);
  for (const [index, { one, use }] of limited.entries()) {
    const wanted = one.presented.uses;
    if (!admitted[index]) one.code = "RATE_LIMITED";
    if (wanted === undefined) continue;
    const granted = admitted[index] ? 1 + takeFurtherUses(tenantId, use, wanted - 1) : 0;
    one.taken = { granted, resetMs: windowEndsInMs(use.rate) };
  }
}

function verdictOf(caller: Caller, { credential, presented, code, taken }: Checked): Described {
  if (code === "VALID") note(caller, credential, presented.address);
  const verdict = describeCredential(credential, presented, code, Date.now());
  const { rate } = credential.principal.keyLimits ?? {};
  if (!taken || !rate) return verdict;
  const { limit, windowSeconds } = rate;
  return { ...verdict, rateLimit: { limit, window: durationText(windowSeconds), ...taken } };
}

/** The credentials that exist, each at its index; cached ones need no statement, all others together one or two. */
async function checkStored(tenantId: string, credentials: readonly PresentedCredential[]) {
  const wanted = await Promise.all(credentials.map((one) => wantedOf(tenantId, one)));
  const lookups = wanted.filter((one) => one !== undefined);
  const found = await findCredentials(tenantId, lookups);
  const byLookup = new Map(lookups.map((one, index) => [one, found[index]]));
  const now = Date.now();
  return credentials.map((presented, index): Checked | undefined => {
    const looked = wanted[index];
    const stored = looked && byLookup.get(looked);
    if (!looked || !stored) return undefined;
    const credential = withOwnEnd(stored, looked);
    return { credential, presented, code: checkCredential(credential, presented, now) };
  });
}

/**
 * Checks for each credential whether it is valid in the caller's tenant, in the given order. A credential of another
 * tenant is unknown, as in every other operation.
 */
export async function verifyCredentials(
  caller: Caller,
  credentials: readonly PresentedCredential[],
): Promise<Described[]> {
  const { tenantId, credentialId } = caller;
  if (credentials.length > 1)
    await countRequest("verification", credentialId, 1, credentials.length - 1);
  const checked = await checkStored(tenantId, credentials);
  await countUses(tenantId, checked);
  return Promise.all(
    credentials.map(async (presented, index) => {
      const one = checked[index];
      if (one) return verdictOf(caller, one);
      if (presented.token === undefined) return unknown;
      return (await verifyCustomerToken(tenantId, presented.token, presented)) ?? unknown;
    }),
  );
}

type Question = z.output<NonNullable<typeof declared.body>>;
type Introspection = z.input<NonNullable<typeof declared.answer>>;

const tokenTypes = {
  apiKey: "ApiKey",
  session: "Session",
  bearer: "Bearer",
  customer: "Bearer",
} as const;

/** The prefix distinguishes the kinds; anything else can only be a token. */
function memberFor(token: string): "apiKey" | "sessionId" | "token" {
  if (token.startsWith("svk_")) return "apiKey";
  return token.startsWith("svs_") ? "sessionId" : "token";
}

/** The RFC 7662 introspection response for a credential. For an inactive one it has no other fields. */
export async function introspectToken(
  caller: Caller,
  { token, address, site }: Question,
): Promise<Introspection> {
  const asked = { ...(address !== undefined && { address }), ...(site !== undefined && { site }) };
  const presented = { [memberFor(token)]: token, ...asked };
  const [verdict] = await verifyCredentials(caller, [presented]);
  if (!verdict?.active || verdict.kind === undefined) return { active: false };
  const { kind, subject, login, scopes = [], expiresAt } = verdict;
  return {
    active: true,
    scope: scopes.join(" "),
    ...(login !== undefined && { username: login }),
    token_type: tokenTypes[kind],
    ...(expiresAt !== undefined && { exp: Math.floor(Date.parse(expiresAt) / 1000) }),
    ...(subject !== undefined && { sub: subject }),
    iss: publicUrl(),
    kind,
    tenant: caller.tenantId,
  };
}
