import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeTenant } from "@/lib/setup/testing/factories";
import { encodeLabels } from "./call-labels";
import { Flush } from "./flush";
import type { RawBatch } from "./recorder";
import { listSpool, newSpoolName, readSpool } from "./spool";

beforeAll(() => void vi.stubEnv("METRICS_SPOOL_BYTES", "1"));
afterAll(() => void vi.unstubAllEnvs());

const values = encodeLabels({
  domain: "user",
  endpoint: "GET /x",
  method: "GET",
  status: "200",
  credentialKind: "none",
});
const calls = (tenantId: string, count: number): RawBatch =>
  new Map([[tenantId, [{ values, count, latency: [] }]]]);

test("a full spool drops calls, reports how many, and accepts calls again once it is empty", async () => {
  const [tenantId, name] = [await makeTenant(), newSpoolName()];
  const flush = new Flush(name);
  flush.put(calls(tenantId, 3), Date.now());
  flush.put(calls(tenantId, 5), Date.now());
  expect(flush.dropped()).toBe(5);
  expect(await listSpool(name)).toEqual([1]);
  expect(await flush.drain()).toBe(true);
  flush.put(calls(tenantId, 7), Date.now());
  expect(flush.dropped()).toBe(5);
  expect((await readSpool(name, 2))?.tenants).toEqual([
    [tenantId, [{ values, count: 7, latency: [] }]],
  ]);
  await flush.drain();
});
