import { createHash } from "node:crypto";
import type { Personal } from "@/lib/protocol/documents/audit-entry";
import { canonical } from "./canonical";
import { type PersonalFacts, provedHashes, withoutPaths } from "./personal";

/**
 * How entries are chained. Each entry has a hash that anybody can compute again from an export, and a MAC that only the service can:
 *
 *     hash(n) = SHA-256(hash(n-1), canonical JSON of the entry: tenant, seq, facts, salted hashes of what may be erased)
 *     mac(n)  = HMAC-SHA256(key, tenant, seq, mac(n-1), hash(n))
 *
 * Entries written before there were MACs have neither `keyId` nor `mac` nor `personal`; their hash covers no tenant. They form the
 * beginning of a chain only: the first keyed entry covers their last hash.
 */
export interface ChainedFacts extends PersonalFacts {
  tenantId: string;
  seq: number;
  auditId: string;
  occurredAt: Date;
  action: string;
  requestId: string;
  result: string;
  addressHash: Buffer;
  agentHash: Buffer;
  /** Null in entries from before there were MACs. */
  personal: Personal | null;
}

/** A place in the chain: the number of an entry, its hash, and its MAC unless it was written before there were MACs. */
export interface Link {
  seq: number;
  hash: Buffer;
  mac: Buffer | null;
}

/** The hash of a chain without entries. */
export const emptyHead = Buffer.alloc(32);

/** The place before the first entry. */
export const beginning: Link = { seq: 0, hash: emptyHead, mac: null };

/** The hash of an entry covers the hash before it: one changed byte breaks every later link. */
export function chainHash(previous: Buffer, entry: ChainedFacts): Buffer {
  const { tenantId, personal, addressHash, agentHash, occurredAt } = entry;
  const { seq, auditId, action, requestId, result } = entry;
  const version =
    personal === null ? {} : { version: 2, tenant: tenantId, personal: provedHashes(personal) };
  const { actor, target, changes } = withoutPaths(entry, new Set(Object.keys(personal ?? {})));
  const text = canonical({
    ...{ seq, auditId, actor, action, target, changes, requestId, result, ...version },
    occurredAt: occurredAt.toISOString(),
    address: addressHash.toString("hex"),
    agent: agentHash.toString("hex"),
  });
  return createHash("sha256").update(previous).update(text).digest();
}

/** What the MAC of an entry covers. */
export function macText(
  tenantId: string,
  previousMac: Buffer | null,
  { seq, hash }: Pick<Link, "seq" | "hash">,
): string {
  const previous = previousMac?.toString("hex") ?? "";
  return canonical({
    type: "gatehouse-audit-entry",
    tenant: tenantId,
    seq,
    previousMac: previous,
    hash: hash.toString("hex"),
  });
}

/** Address and agent are chained salted and hashed, so that the columns next to them can be erased. */
export function saltedHash(salt: Buffer, text: string): Buffer {
  return createHash("sha256").update(salt).update(text).digest();
}
