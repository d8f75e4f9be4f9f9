import { expect, test } from "vitest";
import { makeTenant } from "@/lib/setup/testing/factories";
import { encodeLabels } from "./call-labels";
import { minuteMs } from "./grains";
import { countCalls } from "./query-engine";
import { writeCells } from "./write";

const now = Math.floor(Date.now() / minuteMs) * minuteMs;
const cell = (count: number, endpoint = "GET /x") => ({
  at: now - minuteMs,
  values: encodeLabels({
    domain: "user",
    endpoint,
    method: "GET",
    status: "200",
    credentialKind: "none",
  }),
  count,
});

async function counted(tenantId: string): Promise<number> {
  const { series } = await countCalls(
    {
      tenantId,
      from: now - 60 * minuteMs,
      to: now,
      group: [],
      filters: {},
      statusClasses: [],
      timeZone: "UTC",
      period: undefined,
    },
    now,
  );
  return series[0]?.total ?? 0;
}

test("a batch that is sent 8 times in parallel counts once", async () => {
  const tenantId = await makeTenant();
  const landed = await Promise.all(
    Array.from({ length: 8 }, () => writeCells({ tenantId, source: "a", seq: 1 }, [cell(7)], now)),
  );
  expect(landed.filter(Boolean)).toHaveLength(1);
  expect(await counted(tenantId)).toBe(7);
});

test("a batch that arrives after a later one of its source was already counted", async () => {
  const tenantId = await makeTenant();
  expect(await writeCells({ tenantId, source: "a", seq: 2 }, [cell(1)], now)).toBe(true);
  expect(await writeCells({ tenantId, source: "a", seq: 1 }, [cell(1)], now)).toBe(false);
  expect(await writeCells({ tenantId, source: "b", seq: 1 }, [cell(1)], now)).toBe(true);
  expect(await counted(tenantId)).toBe(2);
});

test("concurrent writers of the same rows neither lose a call nor deadlock", async () => {
  const tenantId = await makeTenant();
  const endpoints = Array.from({ length: 40 }, (_, index) => `GET /${index}`);
  const write = async (source: string, order: string[]) => {
    for (let seq = 1; seq <= 10; seq += 1)
      await writeCells(
        { tenantId, source, seq },
        order.map((endpoint) => cell(1, endpoint)),
        now,
      );
  };
  await Promise.all([
    write("a", endpoints),
    write("b", endpoints.toReversed()),
    write("c", endpoints),
    write("d", endpoints.toReversed()),
  ]);
  expect(await counted(tenantId)).toBe(4 * 10 * 40);
});

test("counts beyond 31 bits are exact", async () => {
  const tenantId = await makeTenant();
  await writeCells({ tenantId, source: "a", seq: 1 }, [cell(2 ** 31 - 1)], now);
  await writeCells({ tenantId, source: "a", seq: 2 }, [cell(5)], now);
  await writeCells({ tenantId, source: "a", seq: 3 }, [cell(2 ** 40)], now);
  expect(await counted(tenantId)).toBe(2 ** 31 - 1 + 5 + 2 ** 40);
});

test("two tenants are counted separately", async () => {
  const [one, two] = [await makeTenant(), await makeTenant()];
  await writeCells({ tenantId: one, source: "a", seq: 1 }, [cell(1)], now);
  await writeCells({ tenantId: two, source: "a", seq: 1 }, [cell(10)], now);
  expect([await counted(one), await counted(two)]).toEqual([1, 10]);
});
