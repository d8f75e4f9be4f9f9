import type { Gatehouse, PresentedCredential, Verdict } from "./client.js";
import { chooseHash } from "./hash.js";
import { RevocationFeed } from "./revocation-feed.js";
import { UsageReporter } from "./usage-report.js";

/*
 * Verifies credentials on behalf of a service, from memory when possible.
 *
 *   credential --SHA-256--> cached answer --still valid, feed fresh?--> permission, address, allowance --> verdict
 *                              | no                                                    | no allowance left
 *                              +--> POST /v1/access/verify <---------------------------+
 *
 * The secret itself is never stored. A cached answer is used only while the feed was read within the last second;
 * otherwise the service is called, and without a response `verify` rejects: a credential is never active by default.
 */

export interface VerifierOptions {
  /** A key with the permission credential.verify. Without it the client's own credential is used. */
  apiKey?: string | undefined;
  /** The name of the service that verifies: the domain of these calls in the metrics. */
  service?: string | undefined;
  /** The maximum number of cached answers. */
  maxEntries?: number | undefined;
  /** Milliseconds between two reports of uses. */
  reportIntervalMs?: number | undefined;
  /** Called when the feed cannot be read or uses cannot be reported; both are tried again. */
  onError?: ((error: unknown) => void) | undefined;
}

/**
 * A credential, the permission to verify, and the operation that it is used for: "POST /orders/{id}". The
 * place of the permission, a site or the whole tenant, is explicit, so that an answer about one never counts for the other.
 */
export type VerifierRequest = Omit<PresentedCredential, "uses" | "site"> & {
  operation?: string | undefined;
} & ({ site: string; wholeTenant?: never } | { wholeTenant: true; site?: never });

export interface Verifier {
  /** Whether a credential works. Rejects when the credential cannot be verified: reject the request then. */
  verify(request: VerifierRequest): Promise<Readonly<Verdict>>;
  /** Reports the last uses and stops following the feed; `verify` calls the service each time from then on. */
  close(): Promise<void>;
}

interface Entry {
  verdict: Verdict;
  validUntil: number;
  permissions: ReadonlySet<string>;
  /** Set for a key with allowed addresses: those that the service has accepted. */
  addresses: Set<string> | undefined;
  /** Set for a key with a rate limit: the remaining uses in the window. */
  allowance: { left: number; endsAt: number; size: number } | undefined;
}

const maxAddresses = 1000;
const maxUsesInAdvance = 10_000;
/** The maximum time to cache that a key has used up its window: the limit may be raised. */
const maxLimitedMs = 60_000;

const secretOf = ({ apiKey, sessionId, token }: VerifierRequest): string =>
  apiKey !== undefined
    ? `k${apiKey}`
    : sessionId !== undefined
      ? `s${sessionId}`
      : `t${token ?? ""}`;

const denied = ({ permissions: _, sites: _sites, ...known }: Verdict): Verdict => ({
  ...known,
  active: false,
  code: "INSUFFICIENT_PERMISSION",
  cacheFor: 0,
});

class CachingVerifier implements Verifier {
  private readonly client: Gatehouse;
  private readonly maxEntries: number;
  private readonly feed: RevocationFeed;
  private readonly usage: UsageReporter;
  private readonly entries = new Map<string, Entry>();
  private readonly hash = chooseHash();

  constructor(client: Gatehouse, options: Omit<VerifierOptions, "apiKey">) {
    const { maxEntries = 10_000, service = "verifier", reportIntervalMs = 10_000 } = options;
    const onError = options.onError ?? (() => undefined);
    this.client = client;
    this.maxEntries = maxEntries;
    this.feed = new RevocationFeed(client, (ids) => this.drop(ids), onError);
    this.usage = new UsageReporter(client, { service, intervalMs: reportIntervalMs, onError });
  }

  verify(request: VerifierRequest): Promise<Readonly<Verdict>> {
    const hashed = this.hash(secretOf(request));
    return typeof hashed === "string"
      ? this.verifyHashed(hashed, request)
      : hashed.then((hash) => this.verifyHashed(hash, request));
  }

  async close(): Promise<void> {
    this.feed.stop();
    this.entries.clear();
    await this.usage.stop();
  }

  private verifyHashed(hash: string, request: VerifierRequest): Promise<Readonly<Verdict>> {
    const key = request.site === undefined ? hash : `${hash} ${request.site}`;
    const now = performance.now();
    const entry = this.entries.get(key);
    const isUsable = entry !== undefined && now < entry.validUntil && this.feed.isFresh(now);
    const verdict = isUsable ? this.judge(entry, request, now) : undefined;
    return verdict ? Promise.resolve(verdict) : this.ask(key, request, entry);
  }

  /** The verdict from a cached answer; undefined when the service has to be called. */
  private judge(
    { verdict, permissions, addresses, allowance }: Entry,
    { permission, address, operation }: VerifierRequest,
    now: number,
  ): Readonly<Verdict> | undefined {
    if (addresses && !addresses.has(address ?? "")) return undefined;
    if (!verdict.active) return verdict;
    if (permission !== undefined && !permissions.has(permission)) return denied(verdict);
    if (allowance) {
      if (allowance.left < 1 || now >= allowance.endsAt) return undefined;
      allowance.left -= 1;
    }
    this.usage.count(verdict, operation, address);
    return verdict;
  }

  private async ask(
    key: string,
    { permission, operation, wholeTenant: _, ...presented }: VerifierRequest,
    former: Entry | undefined,
  ): Promise<Readonly<Verdict>> {
    const askedAt = performance.now();
    // Doubles within a window, so that few uses are wasted and a busy key needs few calls.
    const uses = Math.min(maxUsesInAdvance, (former?.allowance?.size ?? 0) * 2 || 1);
    const verdict = await this.client.verify({ ...presented, uses });
    const change = this.feed.changeSince(verdict, askedAt);
    if (change === "ended" && verdict.active) return { ...denied(verdict), code: "REVOKED" };
    if (change === undefined) this.keep(key, verdict, askedAt, presented.address);
    if (!verdict.active) return verdict;
    if (permission !== undefined && !verdict.permissions?.includes(permission))
      return denied(verdict);
    this.usage.count(verdict, operation, presented.address);
    return verdict;
  }

  private keep(key: string, verdict: Verdict, askedAt: number, address = ""): void {
    const { granted, resetMs } = verdict.rateLimit ?? {};
    const isLimited = granted !== undefined && resetMs !== undefined;
    if (isLimited && granted === 0) this.keepLimited(key, verdict, askedAt, address);
    if (!verdict.active || verdict.cacheFor === 0) return;
    const former = this.entries.get(key);
    const addresses = verdict.allowedAddresses && (former?.addresses ?? new Set<string>());
    if (addresses && addresses.size < maxAddresses) addresses.add(address);
    // The current use is one of the granted ones.
    const taken = isLimited
      ? { left: granted - 1, endsAt: askedAt + resetMs, size: granted }
      : undefined;
    const left = former?.allowance;
    if (taken && left && left.left > 0 && askedAt < left.endsAt) taken.left += left.left;
    this.put(key, {
      verdict,
      validUntil: askedAt + verdict.cacheFor * 1000,
      permissions: new Set(verdict.permissions),
      addresses,
      allowance: taken,
    });
  }

  /** A key that has used up its window is rejected from memory until the next one. */
  private keepLimited(key: string, verdict: Verdict, askedAt: number, address: string): void {
    const resetMs = Math.min(maxLimitedMs, verdict.rateLimit?.resetMs ?? 0);
    const addresses = verdict.allowedAddresses && new Set([address]);
    const validUntil = askedAt + resetMs;
    const permissions = new Set<string>();
    this.put(key, { verdict, validUntil, permissions, addresses, allowance: undefined });
  }

  private put(key: string, entry: Entry): void {
    this.entries.delete(key);
    const [oldest] = this.entries.size >= this.maxEntries ? this.entries.keys() : [];
    if (oldest !== undefined) this.entries.delete(oldest);
    this.entries.set(key, entry);
  }

  private drop(ids: ReadonlySet<string> | "everything"): void {
    if (ids === "everything") {
      this.entries.clear();
      return;
    }
    for (const [key, { verdict }] of this.entries)
      if (ids.has(verdict.credentialId ?? "") || ids.has(verdict.subject ?? ""))
        this.entries.delete(key);
  }
}

export const createVerifier = (
  client: Gatehouse,
  { apiKey, ...options }: VerifierOptions = {},
): Verifier => {
  const own = { apiKey, sessionId: undefined, token: undefined, customer: undefined };
  return new CachingVerifier(apiKey === undefined ? client : client.with(own), options);
};
