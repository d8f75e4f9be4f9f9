import { and, eq } from "drizzle-orm";
import { currentKid, formerKids, signText } from "@/lib/access/secret-key";
import { db } from "@/lib/database/open";
import { asOwner } from "@/lib/database/owner-connection";
import { auditCheckpoints } from "@/lib/database/schema/schema";
import { log } from "@/lib/protocol/log";
import { checkpointText, lastCheckpoint } from "./checkpoints";
import { type HeadRow, headAnswer, isSignedHead, readHeads } from "./heads";
import { headText } from "./signed-head";

/**
 * After SECRET_KEY was rotated, what a former key signed of a trail is signed under the new one: all heads, so that one vouches for
 * every entry of the former key, and the checkpoint. Only what verifies under the former key; what it says stays as it was, with its time.
 */

const underNewKey = `update audit_heads h set kid = $2, signature = n.signature
  from unnest($3::bigint[], $4::timestamptz[], $5::bytea[]) as n(seq, signed_at, signature)
  where h.tenant_id = $1 and h.seq = n.seq and h.signed_at = n.signed_at`;

async function signHeadsAnew(tenantId: string): Promise<boolean> {
  const kids = formerKids();
  const former = (await readHeads(tenantId)).filter(({ kid }) => kids.includes(kid));
  const right = former.filter(isSignedHead);
  if (right.length > 0) {
    const kid = currentKid();
    const signatureOf = (row: HeadRow) => signText(headText(headAnswer({ ...row, kid })));
    await asOwner((owner) =>
      owner.$client.query(underNewKey, [
        ...[tenantId, kid],
        ...[right.map(({ seq }) => seq), right.map(({ signedAt }) => signedAt)],
        right.map(signatureOf),
      ]),
    );
  }
  return right.length === former.length;
}

async function signCheckpointAnew(tenantId: string): Promise<boolean> {
  const checkpoint = await lastCheckpoint(tenantId);
  const kid = currentKid();
  if (!checkpoint || checkpoint.kid === kid) return true;
  if (!checkpoint.isSigned) return false;
  const signature = signText(checkpointText({ ...checkpoint, kid }));
  const row = and(
    eq(auditCheckpoints.tenantId, tenantId),
    eq(auditCheckpoints.seq, checkpoint.seq),
  );
  await db().update(auditCheckpoints).set({ kid, signature }).where(row);
  return true;
}

/** False when there is something that a former key is said to have signed and did not. */
export async function signAnew(tenantId: string): Promise<boolean> {
  const isDone = [await signHeadsAnew(tenantId), await signCheckpointAnew(tenantId)];
  if (isDone.every(Boolean)) return true;
  log().error({ tenantId }, "the audit trail has forged signatures, which are not signed anew");
  return false;
}
