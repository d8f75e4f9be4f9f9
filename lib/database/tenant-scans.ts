import { perProcess } from "@/lib/protocol/per-process";
import { isNodeAway } from "./failures";
import { read } from "./open";

/*
 * A job's query on all tenants is executed on every node of a cluster, and fails with any of them. Then the known tenants are read one
 * by one, so that jobs continue for those of the other nodes. Known are the tenants of earlier scans of the same name, and those whose
 * requests this process served in the last minute.
 */

/** The maximum number read one by one: further tenants wait until the node is back. */
const maxSingle = 5000;
const parallel = 50;

interface Scans {
  found: Map<string, Set<string>>;
  activeTenants: () => Iterable<string>;
}

const scans = perProcess<Scans>("tenant-scans", () => ({
  found: new Map(),
  activeTenants: () => [],
}));

/** Sets the source of the tenants whose requests this process serves; later calls replace earlier ones. */
export function setActiveTenants(activeTenants: Scans["activeTenants"]): void {
  scans().activeTenants = activeTenants;
}

function known(name: string, rows: readonly { tenantId: string }[] = []): Set<string> {
  const { found } = scans();
  const tenants = found.get(name) ?? new Set<string>();
  found.set(name, tenants);
  if (tenants.size > maxSingle) tenants.clear();
  for (const { tenantId } of rows) tenants.add(tenantId);
  return tenants;
}

/** Reads each tenant separately; those whose node is unreachable are omitted. */
async function eachOf<Row>(
  tenantIds: readonly string[],
  ask: (tenantId: string) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let at = 0; at < tenantIds.length; at += parallel) {
    const asked = tenantIds.slice(at, at + parallel).map(async (tenantId) => {
      try {
        return await ask(tenantId);
      } catch (error) {
        if (!isNodeAway(error)) throw error;
        return [];
      }
    });
    rows.push(...(await Promise.all(asked)).flat());
  }
  return rows;
}

/**
 * Reads rows of all tenants. The statement is one of `globalStatements` with a single WHERE on the table that has the tenants' ids.
 * @param values its parameters; the tenant is the next one if tenants are read one by one
 */
export async function readAllTenants<Row extends { tenantId: string }>(
  name: string,
  text: string,
  values: unknown[],
): Promise<readonly Row[]> {
  try {
    const rows = await read<Row>(name, text, values);
    known(name, rows);
    return rows;
  } catch (error) {
    if (!isNodeAway(error)) throw error;
    const single = text.replace(" where ", ` where tenant_id = $${values.length + 1} and `);
    const tenantIds = [...new Set([...known(name), ...scans().activeTenants()])].toSorted();
    return eachOf(tenantIds.slice(0, maxSingle), (tenantId) =>
      read<Row>(`${name}-of-one`, single, [...values, tenantId]),
    );
  }
}

/** Reads rows of these tenants by a statement whose first parameter is the list of their ids. */
export async function readOfTenants<Row>(
  name: string,
  text: string,
  tenantIds: readonly string[],
): Promise<readonly Row[]> {
  try {
    return await read<Row>(name, text, [tenantIds]);
  } catch (error) {
    if (!isNodeAway(error)) throw error;
    return eachOf(tenantIds, (tenantId) => read<Row>(name, text, [[tenantId]]));
  }
}
