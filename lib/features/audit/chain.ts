import { createHash, randomBytes } from "node:crypto";
import type {
  AuditActor,
  AuditChanges,
  AuditTarget,
  Personal,
} from "@/lib/protocol/documents/audit-entry";

/**
 * How entries are chained. Each entry has a hash that anyone can recompute from an export, and a MAC that only the service can:
 *
 *     hash(n) = SHA-256(hash(n-1), canonical JSON of the entry: tenant, seq, facts, salted hashes of what may be erased)
 *     mac(n)  = HMAC-SHA256(key, tenant, seq, mac(n-1), hash(n))
 *
 * Entries written before there were MACs have neither `keyId` nor `mac` nor `personal`; their hash covers no tenant. They occur only at the
 * start of a chain: the first keyed entry covers their last hash.
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

/**
 * Personal values of an entry can be erased while its chain still verifies: the chain covers a salted hash of each instead of the value.
 *
 *     entry:    actor {type, id, login: "ada"}             personal: {"actor.login": {hash, salt}}
 *     chained:  actor {type, id}, personal: {"actor.login": hash}
 *     erased:   actor {type, id}                           personal: {"actor.login": {hash}}
 *
 * The salt is erased with the value: given the salt, a name can be guessed from its hash.
 */
export interface PersonalFacts {
  actor: AuditActor;
  target: AuditTarget;
  changes: AuditChanges;
}

/** Properties of `changes` with personal values when the target is a user. */
const personalMembers = ["name", "emailAddress", "login", "reason", "lock", "preferences"];

const actorPath = "actor.login";

interface Part {
  path: string;
  value: unknown;
}

/** The personal values in the facts, each with its path. */
function personalParts({ actor, target, changes }: PersonalFacts): Part[] {
  const parts: Part[] = [{ path: actorPath, value: actor.login }];
  if (target.type === "user") {
    parts.push({ path: "target.name", value: target.name });
    for (const member of personalMembers)
      parts.push({ path: `changes.${member}`, value: changes[member] });
  }
  return parts.filter(({ value }) => value !== undefined);
}

function proof(salt: string, { path, value }: Part): string {
  return createHash("sha256")
    .update(Buffer.from(salt, "hex"))
    .update(`${path}\0${canonical(value)}`)
    .digest("hex");
}

/** A salted hash of each personal value of a new entry. */
export function provePersonal(facts: PersonalFacts): Personal {
  const proofs = personalParts(facts).map((part) => {
    const salt = randomBytes(16).toString("hex");
    return [part.path, { hash: proof(salt, part), salt }] as const;
  });
  return Object.fromEntries(proofs);
}

/** The facts without the values at the given paths. */
export function withoutPaths(
  { actor, target, changes }: PersonalFacts,
  paths: ReadonlySet<string>,
): PersonalFacts {
  const { login, ...namelessActor } = actor;
  const { name, ...namelessTarget } = target;
  return {
    actor: login === undefined || !paths.has(actorPath) ? actor : namelessActor,
    target: name === undefined || !paths.has("target.name") ? target : namelessTarget,
    changes: Object.fromEntries(
      Object.entries(changes).filter(([member]) => !paths.has(`changes.${member}`)),
    ),
  };
}

/** What the chain covers of the personal values: their hashes by path. */
export function provedHashes(personal: Personal): Record<string, string> {
  return Object.fromEntries(Object.entries(personal).map(([path, { hash }]) => [path, hash]));
}

/** The path of a personal value that is present but differs from the recorded one. */
export function falsePersonalPath(facts: PersonalFacts, personal: Personal): string | undefined {
  const isFalse = (part: Part) => {
    const stated = personal[part.path];
    return (
      stated !== undefined &&
      (stated.salt === undefined || proof(stated.salt, part) !== stated.hash)
    );
  };
  return personalParts(facts).find(isFalse)?.path;
}

/** The facts and proofs without the personal values of a user, as the actor, the target or both. */
export function erasePersonal<Facts extends PersonalFacts>(
  facts: Facts,
  personal: Personal,
  personId: string,
): PersonalFacts & { personal: Personal } {
  const isTheirs = (path: string) =>
    (path === actorPath ? facts.actor.id : facts.target.id) === personId;
  const erased = new Set(Object.keys(personal).filter(isTheirs));
  const kept = Object.entries(personal).map(([path, { hash, salt }]) => [
    path,
    erased.has(path) || salt === undefined ? { hash } : { hash, salt },
  ]);
  return { ...withoutPaths(facts, erased), personal: Object.fromEntries(kept) };
}

/** JSON with the properties of every object in code-unit order, because the store does not preserve their order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    members.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}
