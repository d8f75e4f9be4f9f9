import { eq } from "drizzle-orm";
import { currentKid, formerKids, signText } from "@/lib/access/trail-keys";
import { databaseNow } from "@/lib/database/clock";
import { tenantsSignedByFormerKeys, tenantsWithUnsignedEntries } from "@/lib/database/global";
import { db, transaction } from "@/lib/database/open";
import { auditHeads, tenants } from "@/lib/database/schema/schema";
import { log } from "@/lib/protocol/log";
import { beginning, type Link } from "./chain";
import { verifyChain } from "./chain-verifier";
import { lastCheckpoint } from "./checkpoints";
import { headAnswer, isSignedHead, readHeads } from "./heads";
import { signAnew } from "./sign-anew";
import { headText } from "./signed-head";

/**
 * Signs the newest entry of each tenant's chain once a minute while it changes. Only what has been verified since the last signed head is
 * signed, so that entries that somebody else wrote into the database never get a signature; what is wrong is logged each minute.
 *
 * Several processes may do this at once: a head has one row, and the second one of the same minute finds nothing that changed.
 */

const roundMs = 60_000;
/** A chain that takes longer to verify is signed up to what was verified, and goes on in the next round. */
const maxVerifyMs = 5000;
/** Newest heads to look through for one that a known key signed. */
const lookBack = 100;

/** Where the chain was last known to be right: the newest signed head or the checkpoint. Undefined when the checkpoint is forged. */
async function trustedPlace(tenantId: string): Promise<Link | undefined> {
  const checkpoint = await lastCheckpoint(tenantId);
  if (checkpoint && !checkpoint.isSigned) return undefined;
  const head = (await readHeads(tenantId, { limit: lookBack })).find(isSignedHead);
  return [checkpoint, head, beginning].reduce<Link>(
    (best, one) => (one && one.seq > best.seq ? one : best),
    beginning,
  );
}

async function currentPlace(tenantId: string): Promise<Link | undefined> {
  const { auditSeq: seq, auditHead: hash, auditMac: mac } = tenants;
  const [found] = await db()
    .select({ seq, hash, mac })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  return found;
}

async function storeHead(tenantId: string, { seq, hash, mac }: Link): Promise<void> {
  const unsigned = { tenantId, seq, hash, mac, signedAt: await databaseNow(), kid: currentKid() };
  const signature = signText(headText(headAnswer({ ...unsigned, signature: Buffer.alloc(0) })));
  const stored = await transaction(async (tx) => {
    await tx.update(tenants).set({ auditSignedSeq: seq }).where(eq(tenants.tenantId, tenantId));
    return tx
      .insert(auditHeads)
      .values({ ...unsigned, signature })
      .onConflictDoNothing({ target: [auditHeads.tenantId, auditHeads.seq] })
      .returning({ seq: auditHeads.seq });
  });
  if (stored.length > 0)
    log().info({ auditHead: headAnswer({ ...unsigned, signature }) }, "audit head");
}

/** Verifies what the tenant's chain has beyond its newest signed head and signs it as far as it is right. False when that is not all. */
export async function signHead(tenantId: string): Promise<boolean> {
  const from = await trustedPlace(tenantId);
  const to = await currentPlace(tenantId);
  if (!to) return true;
  if (!from || to.seq < from.seq) {
    log().error(
      { tenantId, seq: to.seq, signed: from?.seq },
      "the audit trail ends before its last signed head",
    );
    return false;
  }
  const { at, broken } = await verifyChain(tenantId, { from, to, milliseconds: maxVerifyMs });
  if (broken)
    log().error({ tenantId, broken }, "the audit trail is broken and is not signed beyond this");
  if (at.seq > from.seq) await storeHead(tenantId, at);
  return at.seq === to.seq && !broken;
}

async function signEach(
  tenantIds: readonly string[],
  sign: (tenantId: string) => Promise<boolean>,
): Promise<boolean> {
  let isDone = true;
  for (const tenantId of tenantIds) {
    const isSigned = await sign(tenantId).catch((error: unknown) => {
      log().warn({ err: error, tenantId }, "an audit trail was not signed");
      return false;
    });
    isDone &&= isSigned;
  }
  return isDone;
}

/**
 * One round: every tenant whose chain changed since its newest signed head, and while former keys are given every one with something
 * that they signed. The log tells when they are needed no more.
 */
export async function signChangedHeads(): Promise<void> {
  const isSigned = await signEach(await tenantsWithUnsignedEntries(), signHead);
  const former = formerKids();
  if (former.length === 0) return;
  const isAnew = await signEach(await tenantsSignedByFormerKeys(former), signAnew);
  if (isSigned && isAnew)
    log().info({ kid: currentKid() }, "all audit trails are signed under the new SECRET_KEY");
}

/** Signs now and then each minute. Returns what stops it. */
export function startSigningHeads(): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const round = async () => {
    await signChangedHeads().catch((error: unknown) =>
      log().warn({ err: error }, "audit heads were not signed"),
    );
    if (!isStopped) timer = setTimeout(startRound, roundMs).unref();
  };
  let running = Promise.resolve();
  const startRound = () => {
    running = round();
  };
  startRound();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}
