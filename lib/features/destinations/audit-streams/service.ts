import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import { type Transaction, transaction } from "@/lib/database/open";
import { entriesAfter } from "@/lib/features/audit/entries";
import { actingAs, record } from "@/lib/features/audit/service";
import { maxOverlapDays } from "@/lib/features/destinations/values";
import { wakeTenant } from "@/lib/features/events/delivery/lease";
import { assertNoRotation, secretText } from "@/lib/features/events/delivery/send";
import { assertQuota } from "@/lib/features/quotas/quotas";
import type { AssertUnchanged } from "@/lib/http/answer";
import type { AuditChanges } from "@/lib/protocol/documents/audit-entry";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type { AuditStream, AuditStreamChange, NewAuditStream } from "./contract";
import {
  deleteStreamRow,
  endOfTrail,
  getStreamRow,
  insertStream,
  lockStream,
  newSigningSecret,
  openSecrets,
  type StreamRow,
  sealSecrets,
  selectStreams,
  setStream,
  toStream,
} from "./rows";
import { changedSettings } from "./settings";
import { nameOf, targetOf } from "./stream";

/** The tenant's streams, newest first. */
export async function listAuditStreams(
  { tenantId }: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<AuditStream>> {
  const rows = await selectStreams(tenantId, readCursor(cursor, 1)?.[0], limit + 1);
  const page = cutPage(rows, limit, (row) => [row.streamId]);
  const items = await Promise.all(page.items.map((row) => toStream(row)));
  return { items, next: page.next };
}

/** A request about one stream. */
interface StreamRequest {
  caller: Caller;
  params: { id: string };
}

export const getAuditStream = async ({ caller, params }: StreamRequest): Promise<AuditStream> =>
  toStream(await getStreamRow(caller.tenantId, params.id));

function recordChange(
  tx: Transaction,
  caller: Caller,
  row: Pick<StreamRow, "streamId" | "settings">,
  { action, changes = {} }: { action: string; changes?: AuditChanges },
): Promise<void> {
  return record(tx, actingAs(caller), { action, target: targetOf(row), changes });
}

/** The position before the first entry that is sent. Call it before the audit entry of the creation is written. */
async function beginning(tx: Transaction, tenantId: string, from: "now" | "beginning") {
  if (from === "now") return endOfTrail(tx, tenantId);
  const [oldest] = await entriesAfter(tx, { tenantId, after: 0, limit: 1 });
  return oldest ? oldest.seq - 1 : 0;
}

/** Creates a stream. Only this response contains its signing secret. Throws 400. */
export async function createAuditStream({
  caller,
  body: { kind, description, from, ...given },
}: {
  caller: Caller;
  body: z.output<typeof NewAuditStream>;
}): Promise<AuditStream> {
  const { tenantId } = caller;
  const { settings, secrets } = changedSettings(kind, given);
  const [streamId, signing] = [newId("ast"), newSigningSecret()];
  const signed = kind === "https" ? { signing: signing.toString("base64") } : {};
  const sealed = sealSecrets({ ...secrets, ...signed }, streamId);
  const row = { tenantId, streamId, settings, description, secrets: sealed, log: [] };
  const created = await transactionFor(caller, async (tx) => {
    const auditSeq = await beginning(tx, tenantId, from);
    const changes = { kind: { after: kind }, leadsTo: { after: nameOf(settings) } };
    await recordChange(tx, caller, row, { action: "audit-stream.created", changes });
    const inserted = await insertStream(tx, { ...row, auditSeq, createdAt: new Date() });
    await assertQuota(tx, tenantId, "audit-streams");
    return toStream(inserted, tx);
  });
  wakeTenant(tenantId);
  return kind === "https" ? { ...created, secret: secretText(signing) } : created;
}

/** The changes for the audit entry: values of settings, but only the names of changed secrets. */
function changesOf(before: StreamRow, after: StreamRow, given: object): AuditChanges {
  const [from, to] = [before.settings, after.settings] as Record<string, unknown>[];
  const names = Object.keys({ ...from, ...to }).filter((name) => from?.[name] !== to?.[name]);
  const isSecret = (name: string) => name === "authorization" || name === "secretAccessKey";
  const hidden = Object.entries(given).filter(
    ([name, value]) => isSecret(name) && value !== undefined,
  );
  return {
    ...Object.fromEntries(
      names.map((name) => [name, { before: from?.[name] ?? null, after: to?.[name] ?? null }]),
    ),
    ...(before.description === after.description
      ? {}
      : { description: { before: before.description, after: after.description } }),
    ...Object.fromEntries(hidden.map(([name]) => [name, {}])),
  };
}

/** Changes the given values and retries failed entries at once. Throws 400, 404 and 412. */
export async function updateAuditStream(
  { caller, params: { id }, body }: StreamRequest & { body: z.output<typeof AuditStreamChange> },
  assertUnchanged: AssertUnchanged,
): Promise<AuditStream> {
  const { tenantId } = caller;
  const updated = await transaction(async (tx) => {
    const before = await lockStream(tx, tenantId, id);
    await assertUnchanged(() => toStream(before, tx));
    const { description = before.description, ...given } = body;
    const former = { settings: before.settings, secrets: openSecrets(before.secrets, id)?.secrets };
    const { settings, secrets } = changedSettings(before.settings.kind, given, former);
    const set = { settings, description, secrets: sealSecrets(secrets, id), dueAt: new Date() };
    const changes = changesOf(before, { ...before, ...set }, given);
    if (Object.keys(changes).length === 0) return toStream(before, tx);
    const after = await setStream(tx, before, set);
    await recordChange(tx, caller, after, { action: "audit-stream.updated", changes });
    return toStream(after, tx);
  });
  wakeTenant(tenantId);
  return updated;
}

/** Deletes a stream. Throws 404 and 412. */
export async function deleteAuditStream(
  { caller, params: { id } }: StreamRequest,
  assertUnchanged: AssertUnchanged,
): Promise<void> {
  await transaction(async (tx) => {
    const row = await lockStream(tx, caller.tenantId, id);
    await assertUnchanged(() => toStream(row, tx));
    await deleteStreamRow(tx, caller.tenantId, id);
    const changes = { kind: { before: row.settings.kind }, position: { before: row.auditSeq } };
    await recordChange(tx, caller, row, { action: "audit-stream.deleted", changes });
  });
}

/** Enables a stream, which continues at its position. Does nothing, without an audit entry, if it is enabled. Throws 404. */
export async function enableAuditStream(caller: Caller, id: string): Promise<AuditStream> {
  const enabled = await transactionFor(caller, async (tx) => {
    const row = await lockStream(tx, caller.tenantId, id);
    if (row.disabledAt === null) return toStream(row, tx);
    const isNew = { disabledAt: null, disabledReason: null, failingSince: null, failures: 0 };
    const after = await setStream(tx, row, { ...isNew, dueAt: new Date() });
    await recordChange(tx, caller, row, { action: "audit-stream.enabled" });
    return toStream(after, tx);
  });
  wakeTenant(caller.tenantId);
  return enabled;
}

/** Disables a stream. Does nothing, without an audit entry, if it is disabled. Throws 404. */
export async function disableAuditStream(caller: Caller, id: string): Promise<AuditStream> {
  return transactionFor(caller, async (tx) => {
    const row = await lockStream(tx, caller.tenantId, id);
    if (row.disabledAt !== null) return toStream(row, tx);
    const off = { disabledAt: new Date(), disabledReason: "by-user", dueAt: null } as const;
    const after = await setStream(tx, row, off);
    await recordChange(tx, caller, row, { action: "audit-stream.disabled" });
    return toStream(after, tx);
  });
}

type RotationRequest = StreamRequest & {
  /** Seconds. */
  body: { overlap?: number | undefined; force: boolean };
};

/** Gives a stream over https a new secret; the previous one also signs for the overlap. Throws 400 for a too long one, 404 and 409. */
export async function rotateAuditStreamSecret({ caller, params: { id }, body }: RotationRequest) {
  const { overlap = 86_400, force } = body;
  if (overlap > maxOverlapDays * 86_400)
    throw invalid([
      { pointer: "/overlap", detail: `/overlap must be at most P${maxOverlapDays}D.` },
    ]);
  const secret = newSigningSecret();
  return transactionFor(caller, async (tx) => {
    const row = await lockStream(tx, caller.tenantId, id);
    if (row.settings.kind !== "https")
      throw new ApiError("audit-stream.not-signed", "Only streams of the kind https sign.");
    const { signing, ...others } = openSecrets(row.secrets, id)?.secrets ?? {};
    const former = others.previousValidTo === undefined ? null : new Date(others.previousValidTo);
    if (!force) assertNoRotation("audit-stream.rotation-in-progress", former);
    const previousValidTo = new Date(Date.now() + overlap * 1000).toISOString();
    const previous = signing === undefined ? {} : { previousSigning: signing, previousValidTo };
    const renewed = { ...others, ...previous, signing: secret.toString("base64") };
    await setStream(tx, row, { secrets: sealSecrets(renewed, id), dueAt: new Date() });
    const changes = { previousValidTo: { after: previousValidTo } };
    const fact = { action: "audit-stream.rotated", target: targetOf(row), changes };
    await record(tx, actingAs(caller), fact);
    return { secret: secretText(secret), previousValidTo };
  });
}
