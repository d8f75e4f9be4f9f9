import { sitesOf } from "@/lib/access/sites";
import { tenantExists } from "@/lib/features/tenants/policy";
import { perProcess } from "@/lib/protocol/per-process";
import { type Cell, labelOf, withLabel } from "./call-labels";
import type { RawCell } from "./recorder";

const unknownMs = 5000;
const maxRemembered = 10_000;

interface KnownTenant {
  exists: boolean;
  at: number;
}

const tenants = perProcess("metrics-tenants", () => new Map<string, KnownTenant>());

/** Whether the tenant exists. A positive result is cached, a negative one only for a few seconds. */
async function exists(tenantId: string): Promise<boolean> {
  const known = tenants().get(tenantId);
  if (known && (known.exists || Date.now() - known.at < unknownMs)) return known.exists;
  const found = await tenantExists(tenantId);
  if (tenants().size >= maxRemembered) tenants().clear();
  tenants().set(tenantId, { exists: found, at: Date.now() });
  return found;
}

/** The cells without unknown sites; undefined if the tenant does not exist, because nobody could query them. */
export async function attribute(
  tenantId: string,
  minute: number,
  cells: RawCell[],
): Promise<Cell[] | undefined> {
  if (!(await exists(tenantId))) return undefined;
  const haveSites = cells.some(({ values }) => labelOf(values, "site") !== "");
  const sites = haveSites ? await sitesOf(tenantId) : new Set<string>();
  return cells.map(({ values, count, latency }) => {
    const site = labelOf(values, "site");
    const verified =
      sites.has(site) || site.startsWith("__") ? values : withLabel(values, "site", "");
    return { at: minute, values: verified, count, latency };
  });
}
