import { read, type Transaction } from "@/lib/database/open";
import { customerImportResults as results } from "@/lib/database/schema/schema";
import type { ImportResult } from "@/lib/protocol/documents/import-result";
import type { ImportKey } from "./rows";

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

/** What became of the lines after one, in their order. */
export async function selectResults(
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
