import { createHash } from "node:crypto";
import type { z } from "zod";
import { type Caller, permissionScope } from "@/lib/access/caller";
import { describeKeys } from "@/lib/access/key-descriptions";
import { lane } from "@/lib/database/open";
import { assertRoomToday, countToday } from "@/lib/features/quotas/daily";
import { ApiError, invalid, type Problem } from "@/lib/protocol/errors";
import { bucketOf, type Cell, encodeLabels } from "./call-labels";
import type { MetricBatch } from "./contract";
import { dayMs, minuteMs } from "./grains";
import { writeCells } from "./write";

type SentBatch = z.output<typeof MetricBatch>;
type SentCell = SentBatch["cells"][number];

const oldestMs = 3 * 365 * dayMs;
const aheadMs = 5 * minuteMs;

/** The problems of the cells' times, sites and keys. */
function problemsOf(
  caller: Caller,
  cells: SentCell[],
  keys: ReadonlyMap<string, string>,
  now: number,
): Problem[] {
  const check = ({ time, site, apiKeyId }: SentCell, index: number): Problem[] => {
    const at = `/cells/${index}`;
    const found: Problem[] = [];
    if (time.getTime() < now - oldestMs)
      found.push({ pointer: `${at}/time`, detail: `${at}/time lies more than 3 years back.` });
    if (time.getTime() > now + aheadMs)
      found.push({ pointer: `${at}/time`, detail: `${at}/time lies more than 5 minutes ahead.` });
    if (site !== undefined && !caller.siteIds.has(site))
      found.push({ pointer: `${at}/site`, detail: `The tenant has no site "${site}".` });
    if (apiKeyId !== undefined && !keys.has(apiKeyId))
      found.push({ pointer: `${at}/apiKeyId`, detail: `The tenant has no API key "${apiKeyId}".` });
    return found;
  };
  return cells.flatMap(check);
}

/** Throws if a caller with only a role for one site reports calls of another. */
function assertOwnSite(caller: Caller, cells: SentCell[]): void {
  if (
    permissionScope(caller, "api-metric.write") === "tenant" ||
    cells.every(({ site }) => site === caller.siteId)
  )
    return;
  throw new ApiError(
    "auth.permission-missing",
    `Your role is limited to the site ${caller.siteId}: report its calls alone.`,
    "api-metric.write",
  );
}

function cellOf(sent: SentCell, keys: ReadonlyMap<string, string>): Cell {
  const { domain, site = "", endpoint, method, status, apiKeyId = "", count, latency } = sent;
  const named = /^[A-Z]+ /.test(endpoint) || endpoint === "*" ? endpoint : `${method} ${endpoint}`;
  const values = encodeLabels({
    domain,
    site,
    endpoint: named,
    method,
    status: String(status),
    apiKey: apiKeyId,
    user: keys.get(apiKeyId) ?? "",
    credentialKind: apiKeyId === "" ? "none" : "apiKey",
  });
  const at = Math.floor(sent.time.getTime() / minuteMs) * minuteMs;
  return {
    at,
    values,
    count,
    ...(latency
      ? { latency: latency.map(({ ms, count: calls }) => [bucketOf(ms), calls] as const) }
      : {}),
  };
}

async function digestOf(tenantId: string, source: string): Promise<Buffer | undefined> {
  const { rows } = await lane("batches").query<{ digest: Buffer }>(
    "select digest from metric_batches where tenant_id = $1 and source = $2",
    [tenantId, source],
  );
  return rows[0]?.digest;
}

interface ReportedBatch {
  batchId: string;
  digest: Buffer;
  cells: Cell[];
}

/** The cells of one statement: more would block the event loop and the database for too long. */
const cellsInPart = 250;

/**
 * Adds cells under a batch id, part by part: each is counted once, however often the batch is sent, and an
 * interrupted batch resumes. Throws 409 when the id was used for other content.
 */
async function writeBatchOnce(
  tenantId: string,
  { batchId, digest, cells }: ReportedBatch,
  now: number,
): Promise<void> {
  const source = `batch ${batchId}`;
  const isRepeated = (await digestOf(tenantId, source)) !== undefined;
  if (!isRepeated) await assertRoomToday(tenantId, "metric-cells", cells.length);
  let added = 0;
  for (let from = 0, seq = 1; from < cells.length; from += cellsInPart, seq += 1) {
    const part = cells.slice(from, from + cellsInPart);
    const isNew = await writeCells({ tenantId, source, seq, digest, lane: "batches" }, part, now);
    if (isNew) added += part.length;
    else if (!(await digestOf(tenantId, source))?.equals(digest))
      throw new ApiError(
        "metrics.batch-id-reused",
        `The batch ${batchId} was sent before with other cells.`,
        batchId,
      );
  }
  if (added > 0) await countToday(tenantId, "metric-cells", added);
}

/** Counts the cells of a batch once. */
export async function recordCellsOnce(
  caller: Caller,
  { batchId, cells }: SentBatch,
): Promise<void> {
  const now = Date.now();
  const ids = [...new Set(cells.flatMap(({ apiKeyId }) => apiKeyId ?? []))];
  const keys = new Map(
    (await describeKeys(caller.tenantId, ids)).map(({ apiKeyId, userId }) => [apiKeyId, userId]),
  );
  const problems = problemsOf(caller, cells, keys, now);
  if (problems.length > 0) throw invalid(problems);
  const digest = createHash("sha256").update(JSON.stringify(cells)).digest();
  const batch = { batchId, digest, cells: cells.map((cell) => cellOf(cell, keys)) };
  await writeBatchOnce(caller.tenantId, batch, now);
}

/** Counts calls that another service answered. A repeated batch counts nothing and gets the same response. */
export async function recordBatch(caller: Caller, batch: SentBatch) {
  const { batchId, cells } = batch;
  assertOwnSite(caller, cells);
  await recordCellsOnce(caller, batch);
  return { batchId, cells: cells.length, calls: cells.reduce((sum, { count }) => sum + count, 0) };
}
