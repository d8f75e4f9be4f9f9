import { type Cell, encodeLabels } from "@/lib/features/metrics/call-labels";
import { compact } from "@/lib/features/metrics/compaction";
import { hourMs, minuteMs } from "@/lib/features/metrics/grains";
import { writeCells } from "@/lib/features/metrics/write";
import { grouped, median, note } from "./report";

const tenantId = "scattered";
const required = 100_000;
const batches = 12;
const minutes = 60;

/** An allowed worst case: 10,000 combinations of one minute, so that no two cells share a row. */
const scattered = (salt: number, at: number): Cell[] =>
  Array.from({ length: 10_000 }, (_, index) => ({
    at,
    values: encodeLabels({
      domain: "user",
      endpoint: `GET /${salt}/${index % 400}`,
      method: "GET",
      status: "200",
      apiKey: `key_${Math.floor(index / 400)}`,
      user: "user_a",
      credentialKind: "apiKey",
    }),
    count: 1,
  }));

let seq = 0;

async function secondsOf(cells: Cell[], now: number): Promise<number> {
  seq += 1;
  const start = performance.now();
  await writeCells({ tenantId, source: "bench", seq }, cells, now);
  return (performance.now() - start) / 1000;
}

function noteRate(what: string, perSecond: number): void {
  note(
    what,
    `${grouped(perSecond)} cells/s`,
    `at least ${grouped(required)}`,
    perSecond >= required,
  );
}

async function rateOf(make: (batch: number) => Cell[], now: number): Promise<number> {
  const seconds: number[] = [];
  for (let batch = 0; batch < batches; batch += 1) seconds.push(await secondsOf(make(batch), now));
  return 10_000 / median(seconds);
}

/** Batches of 10,000 cells, one after the other on one connection: the cost of one, and that of an hour of them until it is packed. */
export async function measureIngestion(now: number): Promise<void> {
  const then = now - 2 * hourMs;
  await rateOf(() => scattered(0, then), now);
  noteRate("10,000 combinations of one minute", await rateOf(() => scattered(0, then), now));
  note(
    "10,000 combinations that were never met",
    `${grouped(await rateOf((batch) => scattered(1 + batch, then), now))} cells/s`,
  );
  await compact(tenantId, now);
  const start = performance.now();
  for (let minute = 0; minute < minutes; minute += 1)
    await secondsOf(scattered(0, then + minute * minuteMs), now);
  await compact(tenantId, now);
  noteRate(
    "an hour of 10,000 combinations a minute, packed",
    (minutes * 10_000) / ((performance.now() - start) / 1000),
  );
}
