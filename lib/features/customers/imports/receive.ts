import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import type { Caller } from "@/lib/access/caller";
import { newId } from "@/lib/database/ids";
import { transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { findQuotaLimit } from "@/lib/features/quotas/quotas";
import { streamBody } from "@/lib/http/body";
import type { Context } from "@/lib/http/context";
import { created } from "@/lib/http/responses";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { type Batch, batchesOf, managedSites } from "./batches";
import { type CustomerImport, maxImportBytes } from "./contract";
import { wakeImports } from "./engine";
import {
  added,
  deleteReceiving,
  findOpenImport,
  type ImportKey,
  type ImportRow,
  insertChunk,
  insertImport,
  keptImports,
  pruneImports,
  setImport,
  store,
  toImport,
} from "./rows";

const compress = promisify(deflateRaw);

/** Begins an import. Throws 409 while another import of the tenant has not ended. */
async function openImport(caller: Caller): Promise<ImportRow> {
  const { tenantId, userId, siteId = "" } = caller;
  const row = await insertImport({
    ...{ tenantId, userId, siteId },
    importId: newId("imp"),
    siteIds: managedSites(caller),
    keyId: caller.kind === "apiKey" ? caller.credentialId : null,
    state: "receiving",
    createdAt: new Date(),
  });
  if (row) return row;
  const open = await findOpenImport(tenantId);
  throw new ApiError(
    "customer.import-running",
    "Another import of customers is not at its end. Wait for it, or cancel it.",
    open?.importId,
  );
}

/** Stores a batch. Throws 400 if the upload was cancelled because no data arrived for too long. */
async function keepBatch(key: ImportKey, { firstLine, items, content }: Batch): Promise<void> {
  const compressed = await compress(content, { level: 1 });
  await transaction(async (tx) => {
    const progress = added({ bytes: content.length, total: items });
    if (!(await setImport(tx, key, ["receiving"], progress)))
      throw new ApiError("request.body-timed-out", "The body stopped for too long. Send it again.");
    await insertChunk(tx, key, { firstLine, content: compressed });
  }, store());
}

/** Stores all lines. Throws 400 if there are none, and 429 if there are more than the tenant may have customers. */
async function keepLines(key: ImportKey, request: Request): Promise<number> {
  const max = await findQuotaLimit(key.tenantId, "customers");
  let total = 0;
  for await (const batch of batchesOf(streamBody(request, maxImportBytes))) {
    total += batch.items;
    if (total > max)
      throw new ApiError(
        "quota.exceeded",
        `The file has more lines than the tenant may have customers: ${max}.`,
        "customers",
      );
    await keepBatch(key, batch);
  }
  if (total === 0)
    throw invalid([{ pointer: "", detail: "The body has no line. Send one at least." }]);
  return total;
}

/** Stores the lines while they arrive and queues them for import. Throws 400, 409 and 429. */
export async function importCustomers(
  context: Pick<
    Context<unknown, unknown, string, Caller>,
    "caller" | "request" | "identifyAgain" | "responseHeaders"
  >,
): Promise<CustomerImport> {
  const { caller, request, identifyAgain } = context;
  const { tenantId } = caller;
  const { importId } = await openImport(caller);
  const key = { tenantId, importId };
  try {
    const total = await keepLines(key, request);
    const siteIds = managedSites(await identifyAgain());
    const queued = await transaction(async (tx) => {
      const row = await setImport(tx, key, ["receiving"], { state: "queued", siteIds });
      if (!row) throw new ApiError("customer.import-not-found", "The import was cancelled.");
      await record(tx, actingAs(caller), {
        action: "customer-import.created",
        target: { type: "customer-import", id: importId },
        changes: { lines: { after: total } },
      });
      return row;
    });
    wakeImports();
    return created(context, "/v1/customers/imports", toImport(queued));
  } catch (error) {
    await deleteReceiving(key);
    throw error;
  } finally {
    await pruneImports(tenantId, keptImports);
  }
}
