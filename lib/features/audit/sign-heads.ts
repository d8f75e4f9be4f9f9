import { eq } from "drizzle-orm";
import { currentKid, signText } from "@/lib/access/trail-keys";
import { databaseNow } from "@/lib/database/clock";
import { tenantsWithUnsignedEntries } from "@/lib/database/global";
import { db, transaction } from "@/lib/database/open";
import { auditHeads, tenants } from "@/lib/database/schema/schema";
import { log } from "@/lib/protocol/log";
import { beginning, type Link } from "./chain";
import { verifyChain } from "./chain-verifier";
import { lastCheckpoint } from "./checkpoints";
import { headAnswer, isSignedHead, readHeads } from "./heads";
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

/** Verifies what the tenant's chain has beyond its newest signed head and signs it as far as it is right. */
export async function signHead(tenantId: string): Promise<void> {
  const from = await trustedPlace(tenantId);
  const to = await currentPlace(tenantId);
  if (!to) return;
  if (!from || to.seq < from.seq) {
    log().error(
      { tenantId, seq: to.seq, signed: from?.seq },
      "the audit trail ends before its last signed head",
    );
    return;
  }
  const { at, broken } = await verifyChain(tenantId, { from, to, milliseconds: maxVerifyMs });
  if (broken)
    log().error({ tenantId, broken }, "the audit trail is broken and is not signed beyond this");
  if (at.seq > from.seq) await storeHead(tenantId, at);
}

/** One round: every tenant whose chain changed since its newest signed head. */
export async function signChangedHeads(): Promise<void> {
  for (const tenantId of await tenantsWithUnsignedEntries()) {
    await signHead(tenantId).catch((error: unknown) =>
      log().warn({ err: error, tenantId }, "an audit head was not signed"),
    );
  }
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
