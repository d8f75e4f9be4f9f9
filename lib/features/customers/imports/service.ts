import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import { read, type Transaction } from "@/lib/database/open";
import { customerImportResults as results } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import type { ImportResult } from "@/lib/protocol/documents/import-result";
import { ApiError } from "@/lib/protocol/errors";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type { CustomerImport, ListImportResultsQuery } from "./contract";
import {
  deleteChunks,
  getImportRow,
  type ImportKey,
  selectImports,
  setImport,
  toImport,
} from "./rows";

export async function insertResults(
  tx: Transaction,
  key: ImportKey,
  row: Pick<typeof results.$inferInsert, "firstLine" | "lastLine" | "created" | "failures">,
): Promise<void> {
  await tx.insert(results).values({ ...key, ...row });
}

const entries = (list: string) =>
  `select e.value as entry from customer_import_results r cross join jsonb_array_elements(${list}) as e (value)
  where r.tenant_id = $1 and r.import_id = $2 and r.last_line > $3::int and (e.value->>'line')::int > $3::int
  order by r.first_line, (e.value->>'line')::int limit $4`;

const resultStatements = {
  all: entries("r.created || r.failures"),
  created: entries("r.created"),
  failed: entries("r.failures"),
};

/** The results of the lines after the given one, in order. */
async function selectResults(
  { tenantId, importId }: ImportKey,
  {
    result = "all",
    after,
    limit,
  }: { result?: keyof typeof resultStatements; after: number; limit: number },
): Promise<ImportResult[]> {
  const values = [tenantId, importId, after, limit];
  const name = `import-results-${result}`;
  const rows = await read<{ entry: ImportResult }>(name, resultStatements[result], values);
  return rows.map(({ entry }) => entry);
}

const keyOf = ({ tenantId, siteId = "" }: Caller, importId: string) => ({
  tenantId,
  siteId,
  importId,
});

/** The imports of the request's site, newest first. */
export async function listImports(
  { tenantId, siteId = "" }: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<CustomerImport>> {
  const before = readCursor(cursor, 1)?.[0];
  const rows = await selectImports(tenantId, siteId, { before, limit: limit + 1 });
  const page = cutPage(rows, limit, (row) => [row.importId]);
  return { items: page.items.map(toImport), next: page.next };
}

/** Throws 404. */
export const getImport = async (caller: Caller, id: string): Promise<CustomerImport> =>
  toImport(await getImportRow(keyOf(caller, id)));

/** Cancels an import and keeps the customers that it created. Throws 404, and 409 for one that has ended. */
export async function cancelImport(caller: Caller, id: string): Promise<CustomerImport> {
  const key = keyOf(caller, id);
  await getImportRow(key);
  const cancelled = await transactionFor(caller, async (tx) => {
    const end = { state: "cancelled", endedAt: new Date(), leaseHolder: null };
    const row = await setImport(tx, key, ["receiving", "queued", "running"], end);
    if (!row) throw new ApiError("customer.import-ended", "The import has ended.", id);
    await record(tx, actingAs(caller), {
      action: "customer-import.cancelled",
      target: { type: "customer-import", id },
      changes: { created: { after: row.done }, failed: { after: row.failed } },
    });
    return row;
  });
  if (!caller.held) await deleteChunks(key);
  return toImport(cancelled);
}

const maxLine = 2 ** 31 - 1;
const isLine = (value: string) => /^\d{1,10}$/.test(value);

/** The results of the lines of an import, in order. Throws 404. */
export async function listResults(
  caller: Caller,
  id: string,
  { limit, cursor, result }: z.output<typeof ListImportResultsQuery>,
): Promise<Page<ImportResult>> {
  const key = keyOf(caller, id);
  await getImportRow(key);
  const after = Math.min(maxLine, Number(readCursor(cursor, 1, isLine)?.[0] ?? 0));
  const rows = await selectResults(key, { ...(result && { result }), after, limit: limit + 1 });
  return cutPage(rows, limit, ({ line }) => [String(line)]);
}
