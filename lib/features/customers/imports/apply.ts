import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { maxImportedCost } from "@/lib/access/password-hashes";
import { isSandbox, sitesOf } from "@/lib/access/sites";
import { isStoreDown, type Transaction, transaction } from "@/lib/database/open";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { noteEvents } from "@/lib/features/customers/activity";
import { insertCustomers } from "@/lib/features/customers/create";
import { addUse } from "@/lib/features/quotas/quotas";
import type { ImportResult } from "@/lib/protocol/documents/import-result";
import { log } from "@/lib/protocol/log";
import { numberedLines, sitesOfMaker } from "./batches";
import { beyondQuota, loginInUse, notWritten, type ParsedLine, parseLine } from "./line";
import {
  added,
  deleteChunk,
  deleteChunks,
  firstChunk,
  type ImportKey,
  type ImportRow,
  setImport,
  started,
  store,
} from "./rows";
import { insertResults } from "./service";

/*
 * One batch of an import is one transaction:
 *
 *   the import's row   its counts rise if this process still holds the lease; the lock excludes others
 *   the batch          is deleted, which marks its lines as done
 *   customers, sites, e-mail addresses, events, results: a statement for each table
 *
 * If a process is killed in between, nothing of the batch is stored; the process that takes over finds it again.
 */

const decompress = promisify(inflateRaw);
/** Lines and bytes that are checked before yielding to the event loop. */
const linesOfTurn = 20;
const bytesOfTurn = 32 * 1024;

const isParsed = (one: ParsedLine | ImportResult): one is ParsedLine => "row" in one;

async function parseAll(
  { siteId, siteIds: managed, tenantId }: ImportRow,
  chunk: { firstLine: number; content: Buffer },
): Promise<(ParsedLine | ImportResult)[]> {
  const existing = await sitesOf(tenantId);
  const siteIds = new Set(managed.filter((one) => existing.has(one)));
  const maxHashCost = maxImportedCost[(await isSandbox(tenantId)) ? "sandbox" : "other"];
  const rules = { siteId, siteIds, now: new Date(), maxHashCost };
  const parsed: (ParsedLine | ImportResult)[] = [];
  let [lines, bytes] = [0, 0];
  for (const line of numberedLines(chunk)) {
    parsed.push(parseLine(line, rules));
    [lines, bytes] = [lines + 1, bytes + line.bytes.length];
    if (lines < linesOfTurn && bytes < bytesOfTurn) continue;
    await nextTurn();
    [lines, bytes] = [0, 0];
  }
  return parsed;
}

/** How many of `count` new customers are within the tenant's quota. */
async function withinQuota(tx: Transaction, tenantId: string, count: number): Promise<number> {
  const beyond = await addUse(tx, tenantId, "customers", count);
  const kept = Math.max(0, count - Math.max(0, beyond));
  if (kept < count) await addUse(tx, tenantId, "customers", kept - count);
  return kept;
}

/** Writes the customers of a batch and returns the result of each line. */
async function writeCustomers(
  tx: Transaction,
  { tenantId, importId }: ImportRow,
  all: readonly (ParsedLine | ImportResult)[],
): Promise<ImportResult[]> {
  const rows = all.filter(isParsed).map((line) => line.row);
  const { kept, surplus } = await insertCustomers(tx, tenantId, rows, (count) =>
    withinQuota(tx, tenantId, count),
  );
  await noteEvents(tx, tenantId, { action: "imported", requestId: importId }, kept);
  const [created, removed] = [new Set(kept), new Set(surplus)];
  return all.map((one) => {
    if (!isParsed(one)) return one;
    if (created.has(one.row)) return { line: one.line, id: one.row.customerId };
    return removed.has(one.row) ? beyondQuota(one.line) : loginInUse(one.line);
  });
}

interface Chunk {
  firstLine: number;
  content: Buffer;
}

/** Imports a batch. False if this process lost the lease, or the import has ended. */
async function applyBatch(row: ImportRow, key: HeldImport, chunk: Chunk): Promise<boolean> {
  const all = await parseAll(row, { ...chunk, content: await decompress(chunk.content) });
  return keepOutcomes(key, chunk, (tx) => writeCustomers(tx, row, all));
}

/** Gives up a batch that cannot be written, with a failure for each line. */
async function failBatch(row: ImportRow, key: HeldImport, chunk: Chunk): Promise<boolean> {
  const all = await parseAll(row, { ...chunk, content: await decompress(chunk.content) });
  return keepOutcomes(key, chunk, async () =>
    all.map((one) => (isParsed(one) ? notWritten(one.line) : one)),
  );
}

function keepOutcomes(
  key: HeldImport,
  { firstLine }: Chunk,
  write: (tx: Transaction) => Promise<ImportResult[]>,
): Promise<boolean> {
  return transaction(async (tx) => {
    if (!(await setImport(tx, key, ["running"], {}))) return false;
    if (!(await deleteChunk(tx, key, firstLine))) return true;
    const outcomes = await write(tx);
    const created = outcomes.filter(({ id }) => id !== undefined);
    const failures = outcomes.filter(({ id }) => id === undefined);
    const lastLine = outcomes.at(-1)?.line ?? firstLine;
    await insertResults(tx, key, { firstLine, lastLine, created, failures });
    await setImport(tx, key, ["running"], added({ done: created.length, failed: failures.length }));
    return true;
  }, store());
}

/** Ends an import without remaining lines. */
async function finish(row: ImportRow, key: HeldImport): Promise<void> {
  await transaction(async (tx) => {
    const end = { state: "done", endedAt: new Date(), leaseHolder: null };
    const ended = await setImport(tx, key, ["running"], end);
    if (!ended) return;
    const { tenantId, importId, userId, keyId } = row;
    const actor = { type: "user" as const, id: userId, ...(keyId === null ? {} : { keyId }) };
    await record(
      tx,
      { tenantId, actor, requestId: importId, address: "", agent: "" },
      {
        action: "customer-import.finished",
        target: { type: "customer-import", id: importId },
        changes: { created: { after: ended.done }, failed: { after: ended.failed } },
      },
    );
  }, store());
}

/** An import whose lease this process holds. */
export interface HeldImport extends ImportKey {
  holder: string;
}

const maxAttempts = 3;

/** Applies a batch with retries, and fails it after the last one. Throws while the store is unavailable. */
async function applyOrFail(row: ImportRow, key: HeldImport, chunk: Chunk): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyBatch(row, key, chunk);
    } catch (error) {
      if (isStoreDown(error)) throw error;
      log().warn({ err: error, ...keyOf(key) }, "a batch of an import was not written");
      if (attempt === maxAttempts) return failBatch(row, key, chunk);
    }
  }
}

const keyOf = ({ tenantId, importId }: ImportKey) => ({ tenantId, importId });

/** Cancels an import whose author may no longer import. Keeps the created customers and deletes the rest of the file. */
async function withdraw({ tenantId, importId }: ImportRow, key: HeldImport): Promise<void> {
  await transaction(async (tx) => {
    const end = { state: "cancelled", endedAt: new Date(), leaseHolder: null };
    const ended = await setImport(tx, key, ["running"], end);
    if (!ended) return;
    await record(tx, actingAsSystem(tenantId, "customer-imports"), {
      action: "customer-import.cancelled",
      target: { type: "customer-import", id: importId },
      changes: {
        created: { after: ended.done },
        failed: { after: ended.failed },
        reason: { after: "Whoever made the import may not manage customers at its site now." },
      },
    });
  }, store());
  await deleteChunks(keyOf(key));
}

/**
 * Imports the rest of a file, batch by batch, until its end, another process takes it over, or this one stops. Each batch is checked with
 * the author's rights at that time.
 */
export async function runImport(key: HeldImport, isStopping: () => boolean): Promise<void> {
  const row = await setImport(store(), key, ["queued", "running"], started());
  if (!row) return;
  while (!isStopping()) {
    const chunk = await firstChunk(key);
    if (!chunk) return finish(row, key);
    const managed = new Set(await sitesOfMaker(row));
    if (managed.size === 0) return withdraw(row, key);
    const siteIds = row.siteIds.filter((one) => managed.has(one));
    if (!(await applyOrFail({ ...row, siteIds }, key, chunk))) return;
  }
  await setImport(store(), key, ["running"], { leaseHolder: null });
}
