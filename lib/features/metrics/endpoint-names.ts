import { db } from "@/lib/database/open";
import { overflow, shapeFor } from "./dimensions";

/** More endpoints of a tenant than this are counted as one: a service that reports raw paths must not fill the store. */
const mostEndpoints = 2000;

async function knownEndpoints(tenantId: string): Promise<Set<string>> {
  const { rows } = await db().$client.query<{ endpoint: string }>(
    "select distinct s.endpoint from metric_series s where s.tenant_id = $1 and s.shape = $2",
    [tenantId, shapeFor(new Set(["endpoint"]))],
  );
  return new Set(rows.map(({ endpoint }) => endpoint));
}

/** Names an endpoint by itself, or by what is beyond the limit. */
export async function endpointNamer(tenantId: string): Promise<(endpoint: string) => string> {
  const known = await knownEndpoints(tenantId);
  return (endpoint) => {
    if (!known.has(endpoint) && known.size >= mostEndpoints) return overflow;
    known.add(endpoint);
    return endpoint;
  };
}
