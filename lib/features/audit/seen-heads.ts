import { perProcess } from "@/lib/protocol/per-process";
import type { Link } from "./chain";
import type { HeadRow } from "./heads";

/*
 * The newest signed head of each chain that this process has seen. The store by itself cannot prove that its newest head is the newest there
 * ever was: an attacker with write access to the database can delete heads and entries together, and what is left verifies. A process that has seen
 * more than the store still has says so.
 */

/** The place and the time of a head; an older one of the same chain never takes its place. */
export type SeenHead = Pick<HeadRow, "seq" | "hash" | "mac" | "signedAt" | "kid" | "signature">;

/** Beyond this many tenants the one that was seen first is forgotten. */
const maxSeen = 100_000;
const seenHeads = perProcess("audit-seen-heads", () => new Map<string, SeenHead>());

const isSameBytes = (a: Buffer | null, b: Buffer | null) =>
  a === null || b === null ? a === b : a.equals(b);

/** Whether two places of a chain have the same entry. */
export const isSamePlace = (a: Link, b: Link): boolean =>
  a.seq === b.seq && a.hash.equals(b.hash) && isSameBytes(a.mac, b.mac);

const isSameHead = (a: SeenHead, b: SeenHead) =>
  isSamePlace(a, b) &&
  a.signedAt.getTime() === b.signedAt.getTime() &&
  a.kid === b.kid &&
  a.signature.equals(b.signature);

const isOlder = (a: SeenHead, b: SeenHead) =>
  a.seq < b.seq || (a.seq === b.seq && a.signedAt.getTime() < b.signedAt.getTime());

export const seenHead = (tenantId: string): SeenHead | undefined => seenHeads().get(tenantId);

/** Whether this very head was found right before, so that its signature need not be computed again. */
export function hasSeen(tenantId: string, head: SeenHead): boolean {
  const known = seenHeads().get(tenantId);
  return known !== undefined && isSameHead(known, head);
}

/** Remembers a head whose signature is right. */
export function rememberHead(tenantId: string, head: SeenHead): void {
  const known = seenHeads().get(tenantId);
  if (known && isOlder(head, known)) return;
  const { seq, hash, mac, signedAt, kid, signature } = head;
  seenHeads().set(tenantId, { seq, hash, mac, signedAt, kid, signature });
  const [first] = seenHeads().size > maxSeen ? seenHeads().keys() : [];
  if (first !== undefined) seenHeads().delete(first);
}

/** As a process that starts: for tests, and for nothing else. */
export const forgetHeads = (): void => seenHeads().clear();

/** Whether a chain and its newest signed head lie behind a head that was seen before, or another entry stands in its place. */
export function hasGoneBack(known: SeenHead, chain: Link, newest: SeenHead | undefined): boolean {
  if (!newest || chain.seq < known.seq || isOlder(newest, known)) return true;
  return newest.seq === known.seq && !isSamePlace(newest, known);
}
