import { createHash, randomBytes } from "node:crypto";
import type {
  AuditActor,
  AuditChanges,
  AuditTarget,
  Personal,
} from "@/lib/protocol/documents/audit-entry";
import { canonical } from "./canonical";

/**
 * Personal values of an entry can be erased while its chain still verifies: the chain covers a salted hash of each instead of the value.
 *
 *     entry:    actor {type, id, login: "ada"}             personal: {"actor.login": {hash, salt}}
 *     chained:  actor {type, id}, personal: {"actor.login": hash}
 *     erased:   actor {type, id}                           personal: {"actor.login": {hash}}
 *
 * The salt goes with the value: a name with its salt next to the hash can be guessed.
 */
export interface PersonalFacts {
  actor: AuditActor;
  target: AuditTarget;
  changes: AuditChanges;
}

/** Members of `changes` that hold personal values when the target is a user. */
const personalMembers = ["name", "emailAddress", "login", "reason", "lock", "preferences"];

const actorPath = "actor.login";

interface Part {
  path: string;
  value: unknown;
}

/** The personal values that stand in the facts, each with its path. */
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

/** The path of a personal value that is there and is not the one that was recorded. */
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

/** The facts and proofs without what is personal to somebody: as the actor, as the target, or as both. */
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
