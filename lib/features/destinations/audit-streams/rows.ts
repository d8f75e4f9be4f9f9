import { randomBytes } from "node:crypto";
import { and, desc, eq, lt, type SQL } from "drizzle-orm";
import { openSealedSecret, sealSecret } from "@/lib/access/sealed";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { auditStreams, tenants } from "@/lib/database/schema/schema";
import { timeOfEntryAfter } from "@/lib/features/audit/entries";
import type { StreamSettings } from "@/lib/protocol/documents/delivery";
import { durationText } from "@/lib/protocol/durations";
import { ApiError } from "@/lib/protocol/errors";
import type { AuditStream } from "./contract";

/** The secrets of a stream, which are never shown again. */
export interface StreamSecrets {
  /** base64: the key that signs batches over https. */
  signing?: string;
  /** The previous key, which also signs until `previousValidTo`. */
  previousSigning?: string;
  previousValidTo?: string;
  authorization?: string;
  secretAccessKey?: string;
}

const purpose = "stream-secrets";

/** The secrets that sign a batch at this moment, the current one first. */
export function signingSecrets(
  { signing, previousSigning, previousValidTo }: StreamSecrets,
  now: Date,
): Buffer[] {
  const isValid = previousValidTo !== undefined && new Date(previousValidTo) > now;
  return [signing, isValid ? previousSigning : undefined].flatMap((one) =>
    one === undefined ? [] : [Buffer.from(one, "base64")],
  );
}

export const newSigningSecret = (): Buffer => randomBytes(32);

export const sealSecrets = (secrets: StreamSecrets, streamId: string): Buffer =>
  sealSecret(purpose, Buffer.from(JSON.stringify(secrets)), streamId);

/** The secrets, and whether they are sealed under the current key; undefined when that key is not known here. */
export function openSecrets(
  sealed: Buffer,
  streamId: string,
): { secrets: StreamSecrets; isCurrent: boolean } | undefined {
  const opened = openSealedSecret(purpose, sealed, streamId);
  if (!opened) return undefined;
  const secrets: StreamSecrets = JSON.parse(opened.bytes.toString("utf8"));
  return { secrets, isCurrent: opened.isCurrent };
}

export type StreamRow = typeof auditStreams.$inferSelect;

export const byId = (tenantId: string, streamId: string): SQL | undefined =>
  and(eq(auditStreams.tenantId, tenantId), eq(auditStreams.streamId, streamId));

const notFound = () =>
  new ApiError("audit-stream.not-found", "There is no such audit stream in this tenant.");

/** Throws 404. */
export async function getStreamRow(
  tenantId: string,
  streamId: string,
  on: Executor = db(),
): Promise<StreamRow> {
  const [row] = await on.select().from(auditStreams).where(byId(tenantId, streamId));
  if (!row) throw notFound();
  return row;
}

/** At most `limit` of the tenant's streams before the given one, newest first. */
export const selectStreams = (tenantId: string, before: string | undefined, limit: number) =>
  db()
    .select()
    .from(auditStreams)
    .where(
      and(
        eq(auditStreams.tenantId, tenantId),
        before === undefined ? undefined : lt(auditStreams.streamId, before),
      ),
    )
    .orderBy(desc(auditStreams.streamId))
    .limit(limit);

/** The number of the newest entry of the tenant's chain. */
export async function endOfTrail(on: Executor, tenantId: string): Promise<number> {
  const [end] = await on
    .select({ seq: tenants.auditSeq })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  return end?.seq ?? 0;
}

export async function insertStream(
  tx: Transaction,
  row: typeof auditStreams.$inferInsert,
): Promise<StreamRow> {
  const [created] = await tx.insert(auditStreams).values(row).returning();
  if (!created) throw new Error("An audit stream was gone as soon as created.");
  return created;
}

type Settable = Partial<Omit<StreamRow, "tenantId" | "streamId">>;

/** Changes a stream and returns the changed row. Throws 404. */
export async function setStream(
  tx: Executor,
  { tenantId, streamId }: Pick<StreamRow, "tenantId" | "streamId">,
  set: Settable,
): Promise<StreamRow> {
  const [row] = await tx.update(auditStreams).set(set).where(byId(tenantId, streamId)).returning();
  if (!row) throw notFound();
  return row;
}

/** Locks the stream's row by a write that changes nothing, and returns it. Throws 404. */
export async function lockStream(
  tx: Transaction,
  tenantId: string,
  streamId: string,
): Promise<StreamRow> {
  const { description } = await getStreamRow(tenantId, streamId, tx);
  return setStream(tx, { tenantId, streamId }, { description });
}

export async function deleteStreamRow(
  tx: Transaction,
  tenantId: string,
  streamId: string,
): Promise<void> {
  await tx.delete(auditStreams).where(byId(tenantId, streamId));
}

/** After a rotation of SECRET_KEY, reseals the secrets that a former key sealed. Called by the hourly cleaning. */
export async function resealStreams(tenantId: string): Promise<void> {
  const rows = await db().select().from(auditStreams).where(eq(auditStreams.tenantId, tenantId));
  for (const { streamId, secrets } of rows) {
    const opened = openSecrets(secrets, streamId);
    if (!opened || opened.isCurrent) continue;
    await db()
      .update(auditStreams)
      .set({ secrets: sealSecrets(opened.secrets, streamId) })
      .where(and(byId(tenantId, streamId), eq(auditStreams.secrets, secrets)));
  }
}

const iso = (at: Date | null | undefined) => at?.toISOString() ?? null;

const shown = (settings: StreamSettings) =>
  settings.kind === "s3" ? { ...settings, every: durationText(settings.every) } : settings;

async function stateOf(row: StreamRow, on: Executor): Promise<AuditStream["state"]> {
  const { tenantId, auditSeq: position, deliveredAt, failingSince, dueAt, gap, log } = row;
  const behind = Math.max(0, (await endOfTrail(on, tenantId)) - position);
  const oldest =
    behind === 0 ? undefined : await timeOfEntryAfter(on, { tenantId, after: position });
  return {
    position,
    ...{ deliveredAt: iso(deliveredAt), behind, behindSince: iso(oldest) },
    ...{ failingSince: iso(failingSince), nextAttemptAt: iso(dueAt) },
    ...{ missed: gap, attempts: log },
  };
}

/** The response representation of a stream: without secrets, with its delivery state. */
export async function toStream(row: StreamRow, on: Executor = db()): Promise<AuditStream> {
  const { streamId: id, settings, description, disabledAt, disabledReason, createdAt } = row;
  return {
    id,
    ...shown(settings),
    description,
    status: disabledAt === null ? "enabled" : "disabled",
    disabledReason,
    createdAt: createdAt.toISOString(),
    state: await stateOf(row, on),
  };
}
