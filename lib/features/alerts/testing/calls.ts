import { bucketOf, type Cell, encodeLabels } from "@/lib/features/metrics/call-labels";
import { minuteMs } from "@/lib/features/metrics/grains";
import { writeCells } from "@/lib/features/metrics/write";

interface Calls {
  /** Minutes after `base`; `to` is exclusive. */
  from: number;
  to: number;
  /** Each minute. */
  count: number;
  status?: number;
  site?: string;
  ms?: number;
}

let seq = 0;

/** Counts calls of a tenant, minute by minute. */
export async function writeCalls(tenantId: string, base: number, calls: Calls): Promise<void> {
  const { from, to, count, status = 200, site = "", ms = 10 } = calls;
  const labels = { domain: "user", endpoint: "GET /v1/user/list", method: "GET" };
  const values = encodeLabels({ ...labels, status: String(status), site });
  const latency: [number, number][] = [[bucketOf(ms), count]];
  const cells = Array.from(
    { length: to - from },
    (_, minute): Cell => ({ at: base + (from + minute) * minuteMs, values, count, latency }),
  );
  seq += 1;
  await writeCells({ tenantId, source: "alerts-test", seq }, cells);
}
