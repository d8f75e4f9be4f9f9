import { perProcess } from "@/lib/protocol/per-process";
import { isNodeAway } from "./failures";
import { read } from "./open";

/*
 * What jobs ask of all tenants at once goes to every node of a cluster, and fails with any of them. Then the tenants that this process
 * knows are asked one by one, so that jobs go on for those of the other nodes. Known are the tenants of earlier scans of the same name,
 * and those whose requests this process answered in the last minute.
 */

/** How many are asked one by one at most: beyond, tenants wait until the node is back. */
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

/** Says which tenants this process answers requests of; later calls replace the earlier. */
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

/** Asks for each tenant by itself; those whose node is away are left out. */
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
 * @param values its parameters; asked one by one, the tenant is the next after them
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
