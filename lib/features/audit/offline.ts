import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { JWK } from "jose";
import { type ChainedFacts, chainHash, falsePersonalPath, saltedHash } from "./chain";
import type { ExportedAuditEvent } from "./contract";
import { headText, type SignedHead } from "./heads";

/**
 * Checks an export of a tenant's trail against a copy of its signed heads, without the store and without SECRET_KEY.
 *
 * - Each entry's hash is recomputed and covers the tenant and the hash of the entry before it.
 * - At each signed head of the copy the chain must have the same hash, which reveals any rewrite below it.
 * - The chain must reach the newest head, and start no later than the oldest head that is younger than 400 days.
 * - Since `dailySince` a chain has a head each day, changed or not: if none was signed for 26 hours, signing was switched off.
 */

const keptMs = 400 * 24 * 3600 * 1000;
/** A head is signed within a minute of the entry, so the newest head must cover all entries that are this much older. */
const lateMs = 5 * 60_000;
const maxFindings = 20;
/** Every chain, even an idle one, gets a head each day; two more hours allow for a restart. */
const maxGapMs = 26 * 3600_000;

/** The time since which idle chains get a head each day. */
export const dailySince = new Date("2026-11-23T00:00:00Z");

export interface OfflineOptions {
  /** Public keys to check the heads' signatures with; without them the copy itself is trusted. */
  keySet?: JWK[] | undefined;
  /** The time since which a chain must have a head each day: later than `dailySince` if the store was upgraded later. */
  dailyFrom?: Date | undefined;
  /** When the copy of the heads was taken. */
  takenAt?: Date | undefined;
}

export interface OfflineResult {
  valid: boolean;
  tenant: string | undefined;
  entries: number;
  first: number | undefined;
  last: number | undefined;
  /** The newest signed head of the copy; entries beyond it are not vouched for yet. */
  signedTo: number;
  findings: string[];
}

/** Reads heads from a response of GET /v1/audit/heads, from one head a line, or from log lines with `auditHead`. */
export function parseHeads(text: string): SignedHead[] {
  if (text.trimStart().startsWith("[")) return JSON.parse(text);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines
    .map((line) => JSON.parse(line))
    .flatMap((line) =>
      "auditHead" in line ? [line.auditHead] : "signature" in line ? [line] : [],
    );
}

function factsOf(event: ExportedAuditEvent): ChainedFacts {
  const { id: auditId, occurredAt, actor, target, changes, chain, ...rest } = event;
  const { tenant: tenantId, seq, personal = null } = chain;
  const hashes = {
    addressHash: Buffer.from(chain.addressHash, "hex"),
    agentHash: Buffer.from(chain.agentHash, "hex"),
  };
  return {
    ...rest,
    tenantId,
    seq,
    auditId,
    occurredAt: new Date(occurredAt),
    actor,
    target,
    changes,
    personal,
    ...hashes,
  };
}

const isOurHash = (event: ExportedAuditEvent) =>
  chainHash(Buffer.from(event.chain.previousHash, "hex"), factsOf(event)).toString("hex") ===
  event.chain.hash;

function isOurAddress({ address, chain: { salt, addressHash } }: ExportedAuditEvent): boolean {
  return (
    address === undefined ||
    saltedHash(Buffer.from(salt, "hex"), address).toString("hex") === addressHash
  );
}

const keyed = ({ chain: { keyId } }: ExportedAuditEvent) => keyId !== undefined;

export class OfflineCheck {
  private readonly heads = new Map<number, SignedHead>();
  /** When heads were signed. */
  private readonly times: number[] = [];
  private readonly findings: string[] = [];
  private readonly tenant: string | undefined;
  private readonly newest: SignedHead | undefined;
  private entries = 0;
  private lowest: ExportedAuditEvent | undefined;
  private highest: ExportedAuditEvent | undefined;
  private previous: ExportedAuditEvent | undefined;

  constructor(heads: SignedHead[], { keySet, dailyFrom, takenAt }: OfflineOptions = {}) {
    this.tenant = heads[0]?.tenant;
    const keys =
      keySet &&
      new Map(keySet.map((jwk) => [jwk.kid ?? "", createPublicKey({ key: jwk, format: "jwk" })]));
    for (const head of heads) this.addHead(head, keys);
    this.checkTimes(dailyFrom ?? dailySince, takenAt ?? new Date());
    this.newest = [...this.heads.values()].reduce<SignedHead | undefined>(
      (best, head) => (best && best.seq > head.seq ? best : head),
      undefined,
    );
  }

  private find(text: string): void {
    if (this.findings.length < maxFindings) this.findings.push(text);
  }

  private addHead(head: SignedHead, keys: Map<string, KeyObject> | undefined): void {
    const key = keys?.get(head.kid);
    const isSigned =
      keys === undefined ||
      (key &&
        verify(null, Buffer.from(headText(head)), key, Buffer.from(head.signature, "base64url")));
    const other = this.heads.get(head.seq);
    if (!isSigned) this.find(`head ${head.seq}: not signed by a key of the key set (${head.kid})`);
    else if (head.tenant !== this.tenant)
      this.find(`head ${head.seq}: belongs to tenant ${head.tenant}, not ${this.tenant}`);
    else if (other && other.hash !== head.hash)
      this.find(`head ${head.seq}: two heads of the same entry differ, the chain was rewritten`);
    else {
      this.heads.set(head.seq, head);
      this.times.push(Date.parse(head.at));
    }
  }

  /** If no head was signed for longer than a day, entries before the next head may have been rewritten. */
  private checkTimes(dailyFrom: Date, takenAt: Date): void {
    const times = [...this.times, takenAt.getTime()].toSorted((a, b) => a - b);
    for (const [n, time] of times.entries()) {
      const before = Math.max(times[n - 1] ?? time, dailyFrom.getTime());
      if (time - before > maxGapMs)
        this.find(
          `no head was signed from ${new Date(before).toISOString()} to ${new Date(time).toISOString()}: the service stood still, or signing was switched off`,
        );
    }
  }

  /** Checks the next entry; entries are added in ascending or descending order. */
  add(event: ExportedAuditEvent): void {
    const { chain } = event;
    this.entries += 1;
    if (chain.tenant !== this.tenant)
      this.find(
        `entry ${chain.seq}: belongs to tenant ${chain.tenant}, the heads to ${this.tenant}`,
      );
    if (!isOurHash(event)) this.find(`entry ${chain.seq}: its content is not what was recorded`);
    else if (!isOurAddress(event))
      this.find(`entry ${chain.seq}: its address is not what was recorded`);
    else if (chain.personal && falsePersonalPath(event, chain.personal))
      this.find(`entry ${chain.seq}: a name or address in it is not what was recorded`);
    const head = this.heads.get(chain.seq);
    if (head && (head.hash !== chain.hash || head.mac !== (chain.mac ?? "")))
      this.find(`entry ${chain.seq}: differs from its signed head, the chain was rewritten`);
    if (this.previous) this.compare(this.previous, event);
    this.previous = event;
    if (!this.lowest || chain.seq < this.lowest.chain.seq) this.lowest = event;
    if (!this.highest || chain.seq > this.highest.chain.seq) this.highest = event;
  }

  private compare(a: ExportedAuditEvent, b: ExportedAuditEvent): void {
    const [before, after] = a.chain.seq < b.chain.seq ? [a, b] : [b, a];
    if (after.chain.seq !== before.chain.seq + 1) {
      this.find(
        `entries ${before.chain.seq + 1} to ${after.chain.seq - 1}: missing (an export with filters cannot be checked)`,
      );
      return;
    }
    if (after.chain.previousHash !== before.chain.hash)
      this.find(`entry ${after.chain.seq}: does not follow entry ${before.chain.seq}`);
    if (keyed(before) && !keyed(after))
      this.find(`entry ${after.chain.seq}: has no MAC although the entry before it has one`);
  }

  private checkEnd(): void {
    const last = this.highest?.chain.seq ?? 0;
    if (!this.newest) return;
    if (this.newest.seq > last)
      this.find(
        `entries ${last + 1} to ${this.newest.seq}: missing, the chain was longer at ${this.newest.at}`,
      );
    else if (
      this.highest &&
      last > this.newest.seq &&
      Date.parse(this.highest.occurredAt) < Date.parse(this.newest.at) - lateMs
    )
      this.find(
        `entries after ${this.newest.seq}: no signed head covers them although a later one should`,
      );
  }

  private checkBeginning(): void {
    const first = this.lowest;
    if (!first || first.chain.seq === 1) return;
    const before = this.heads.get(first.chain.seq - 1);
    if (before && before.hash !== first.chain.previousHash)
      this.find(`entry ${first.chain.seq}: does not follow the signed head before it`);
    const since =
      Math.max(
        Date.parse(this.newest?.at ?? first.occurredAt),
        Date.parse(this.highest?.occurredAt ?? first.occurredAt),
      ) - keptMs;
    const erased = [...this.heads.values()].find(
      ({ seq, at }) => seq < first.chain.seq && Date.parse(at) > since,
    );
    if (erased)
      this.find(
        `entries before ${first.chain.seq}: missing, though entry ${erased.seq} is not 400 days old yet`,
      );
  }

  /** The result after all entries were added. */
  result(): OfflineResult {
    if (this.heads.size === 0) this.find("there is no signed head to check against");
    this.checkBeginning();
    this.checkEnd();
    const { tenant, entries, findings } = this;
    const ends = {
      first: this.lowest?.chain.seq,
      last: this.highest?.chain.seq,
      signedTo: this.newest?.seq ?? 0,
    };
    return { valid: findings.length === 0, tenant, entries, ...ends, findings };
  }
}
