import { eq } from "drizzle-orm";
import { currentKid, formerKids, signText } from "@/lib/access/secret-key";
import { databaseNow } from "@/lib/database/clock";
import { type ChainEnd, chainEnds, tenantsSignedByFormerKeys } from "@/lib/database/global";
import { db, transaction } from "@/lib/database/open";
import { auditHeads, tenants } from "@/lib/database/schema/schema";
import { log } from "@/lib/protocol/log";
import { noteJob } from "@/lib/protocol/per-process";
import { beginning, type Link } from "./chain";
import { verifyChain } from "./chain-verifier";
import { lastCheckpoint, signAnew } from "./checkpoints";
import {
  type HeadRow,
  hasGoneBack,
  hasSeen,
  headAnswer,
  headText,
  isSamePlace,
  isSignedHead,
  readHeads,
  rememberHead,
  type SeenHead,
  seenHead,
} from "./heads";

/*
 * Which chains are due for signing. Only the heads in the store decide that, and only those with a valid signature:
 *
 *     newest head in the store --> valid signature? --> of the last entry? --> less than a day old? --> nothing to do
 *
 * A signature is verified once for each head; after that the same bytes are accepted.
 */

const dayMs = 24 * 3600 * 1000;

/** Also true for a head that a wrong clock dated a day ahead. */
const isDaySince = (signedAt: Date, now: Date): boolean =>
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

/** The tenants whose chain has lost a signed head, or has none for its last entry that is less than a day old. */
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

/**
 * Signs the newest entry of each tenant's chain once a minute while it changes, and once a day while it does not. Only what has been
 * verified since the last signed head is signed, so that entries written directly into the database never get a signature; faults are
 * logged each minute.
 *
 * Several processes may do this concurrently: the row of the tenant is locked, and the second one finds the head already stored.
 */

const roundMs = 60_000;
/** A chain that takes longer to verify is signed up to what was verified, and continued in the next round. */
const maxVerifyMs = 5000;
/** How many recent heads to search for a verifiable signature. */
const lookBack = 100;

/** The newest head signed by a known key, and the place to verify the chain from, which is undefined if the checkpoint is forged. */
async function trustedPlace(tenantId: string): Promise<{ from?: Link; newest?: HeadRow }> {
  const checkpoint = await lastCheckpoint(tenantId);
  const newest = (await readHeads(tenantId, { limit: lookBack })).find(isSignedHead);
  const known = newest && { newest };
  if (checkpoint && !checkpoint.isSigned) return { ...known };
  const places = [checkpoint, newest].filter((place) => place !== undefined);
  const from = places.reduce<Link>((best, one) => (one.seq > best.seq ? one : best), beginning);
  return { ...known, from };
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
  const now = await databaseNow();
  const unsigned = { tenantId, seq, hash, mac, signedAt: now, kid: currentKid() };
  const signature = signText(headText(headAnswer({ ...unsigned, signature: Buffer.alloc(0) })));
  const row = { ...unsigned, signature };
  const isStored = await transaction(async (tx) => {
    await tx
      .select({ seq: tenants.auditSeq })
      .from(tenants)
      .where(eq(tenants.tenantId, tenantId))
      .for("no key update");
    const heads = await readHeads(tenantId, { limit: lookBack }, tx);
    const isThere = (head: HeadRow) =>
      isSamePlace(head, row) && !isDaySince(head.signedAt, now) && isSignedHead(head) === true;
    if (heads.some(isThere)) return false;
    await tx.insert(auditHeads).values(row);
    return true;
  });
  if (!isStored) return;
  rememberHead(tenantId, row);
  log().info({ auditHead: headAnswer(row) }, "audit head");
}

/** Logs that the store has lost signed entries or heads. */
function reportLoss(tenantId: string, found: Link, signed: Link | undefined): false {
  const places = { seq: found.seq, signed: signed?.seq };
  log().error(
    { tenantId, ...places },
    "the audit trail ends before its last signed head, or that head was removed. Nothing is signed. If a backup was restored, restart",
  );
  return false;
}

/** Verifies the tenant's chain beyond its newest signed head and signs the valid part. False when not all could be signed. */
export async function signHead(tenantId: string): Promise<boolean> {
  const known = seenHead(tenantId);
  const { from, newest } = await trustedPlace(tenantId);
  const to = await currentPlace(tenantId);
  if (!to) return true;
  if (known && hasGoneBack(known, to, newest)) return reportLoss(tenantId, to, known);
  if (!from || to.seq < from.seq) return reportLoss(tenantId, to, from);
  const { at, broken } = await verifyChain(tenantId, { from, to, milliseconds: maxVerifyMs });
  if (broken)
    log().error({ tenantId, broken }, "the audit trail is broken and is not signed beyond this");
  if (newest) rememberHead(tenantId, newest);
  const isDue = newest === undefined || isDaySince(newest.signedAt, await databaseNow());
  if (at.seq > from.seq || (isDue && at.seq > 0 && !broken)) await storeHead(tenantId, at);
  return at.seq === to.seq && !broken;
}

interface Signing {
  sign: (tenantId: string) => Promise<boolean>;
  isStopped: () => boolean;
}

async function signEach(
  tenantIds: readonly string[],
  { sign, isStopped }: Signing,
): Promise<boolean> {
  let isDone = true;
  for (const tenantId of tenantIds) {
    if (isStopped()) return false;
    const isSigned = await sign(tenantId).catch((error: unknown) => {
      log().warn({ err: error, tenantId }, "an audit trail was not signed");
      return false;
    });
    isDone &&= isSigned;
  }
  return isDone;
}

/**
 * One round: signs every tenant whose newest head is not of its last entry or is a day old. While former keys are configured, also replaces
 * all signatures by them, and logs when they are no longer needed.
 */
export async function signChangedHeads(isStopped = () => false): Promise<void> {
  const isSigned = await signEach(await tenantsToSign(), { sign: signHead, isStopped });
  const former = formerKids();
  if (former.length === 0) return;
  const isAnew = await signEach(await tenantsSignedByFormerKeys(former), {
    sign: signAnew,
    isStopped,
  });
  if (isSigned && isAnew)
    log().info({ kid: currentKid() }, "all audit trails are signed under the new SECRET_KEY");
}

/** Signs now, then every minute. Returns a function that stops after the current tenant: the next round of any process signs the rest. */
export function startSigningHeads(): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const round = async () => {
    await signChangedHeads(() => isStopped).then(
      () => noteJob("audit-heads", true),
      (error: unknown) => {
        noteJob("audit-heads", false);
        log().warn({ err: error }, "audit heads were not signed");
      },
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
