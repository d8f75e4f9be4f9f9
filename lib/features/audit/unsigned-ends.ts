import { databaseNow } from "@/lib/database/clock";
import { type ChainEnd, chainEnds } from "@/lib/database/global";
import { isSignedHead } from "./heads";
import {
  hasGoneBack,
  hasSeen,
  isSamePlace,
  rememberHead,
  type SeenHead,
  seenHead,
} from "./seen-heads";

/*
 * Which chains are to be signed. Nothing in the store says so but the heads themselves, and those only if their signature is right:
 *
 *     newest head in the store --> right signature? --> of the last entry? --> less than a day old? --> nothing to do
 *
 * A signature is computed once for each head; after that the same bytes are right.
 */

const dayMs = 24 * 3600 * 1000;

/** Also for a head that a wrong clock dated ahead. */
export const isDaySince = (signedAt: Date, now: Date): boolean =>
  Math.abs(now.getTime() - signedAt.getTime()) >= dayMs;

function newestHead(end: ChainEnd): SeenHead | undefined {
  const { tenantId, headSeq: seq, headHash: hash, headMac: mac, signedAt, kid, signature } = end;
  if (seq === null) return undefined;
  const head = { seq, hash, mac, signedAt, kid, signature };
  if (!hasSeen(tenantId, head) && isSignedHead({ tenantId, ...head }) !== true) return undefined;
  return head;
}

function needsSigning(end: ChainEnd, now: Date): boolean {
  const known = seenHead(end.tenantId);
  const head = newestHead(end);
  if (known && hasGoneBack(known, end, head)) return true;
  if (!head) return end.seq > 0 || end.headSeq !== null;
  rememberHead(end.tenantId, head);
  return !isSamePlace(head, end) || isDaySince(head.signedAt, now);
}

/** The tenants whose chain has no signed head of its end that is less than a day old, or has lost one. */
export async function tenantsToSign(): Promise<string[]> {
  const now = await databaseNow();
  const found: string[] = [];
  for (let after = ""; ; ) {
    const ends = await chainEnds(after);
    const last = ends.at(-1);
    if (!last) return found;
    after = last.tenantId;
    for (const end of ends) if (needsSigning(end, now)) found.push(end.tenantId);
  }
}
