import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { dataDir } from "@/lib/database/data-dir";
import { dayMs, minuteMs } from "@/lib/features/metrics/grains";
import { topCalls } from "@/lib/features/metrics/query-engine";
import { placeOf, readLine } from "@/lib/setup/access-logs/access-log";
import { makeTenant } from "@/lib/setup/testing/factories";
import { importLog } from "./import";

const now = Date.now();
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function combinedTime(at: number): string {
  const [day = "", time = ""] = new Date(at).toISOString().split("T");
  const [year, month, date] = day.split("-");
  return `${date}/${months[Number(month) - 1]}/${year}:${time.slice(0, 8)} +0000`;
}

const line = (index: number) =>
  `10.0.0.${index % 250} - - [${combinedTime(now - dayMs + (index % 600) * minuteMs)}] "GET /v1/user/${index % 3 === 0 ? "list" : `user_${"0".repeat(25)}${index % 10}`}?a=${index} HTTP/1.1" ${index % 10 === 0 ? 500 : 200} 123 "-" "curl/8 (\\"x\\")" 0.0${(index % 90) + 10}`;

function file(name: string, content: string | Buffer): string {
  mkdirSync(dataDir(), { recursive: true });
  const path = join(dataDir(), name);
  writeFileSync(path, content);
  return path;
}

async function byStatus(tenantId: string): Promise<Record<string, number>> {
  const question = {
    tenantId,
    from: now - 3 * dayMs,
    to: now + minuteMs,
    filters: {},
    statusClasses: [],
    timeZone: "UTC",
    period: undefined,
  };
  const top = await topCalls({ ...question, group: ["endpoint", "status"] }, 100);
  return Object.fromEntries(
    top.map(({ groups, count }) => [`${groups.endpoint} ${groups.status}`, count]),
  );
}

describe("an import", () => {
  test("counts every line once, also when it is run again, when the log has grown and when another log starts with the same lines", async () => {
    const tenantId = await makeTenant();
    const lines = Array.from({ length: 3000 }, (_, index) => line(index));
    const log = file("a.log", `${lines.join("\n")}\nnot a line\n\n`);
    expect(await importLog(log, tenantId)).toEqual({
      counted: 3000,
      repeated: 0,
      outside: 0,
      unreadable: 1,
    });
    expect(await byStatus(tenantId)).toEqual({
      "GET /v1/user/{id} 200": 1800,
      "GET /v1/user/list 200": 900,
      "GET /v1/user/{id} 500": 200,
      "GET /v1/user/list 500": 100,
    });
    expect(await importLog(log, tenantId)).toEqual({
      counted: 0,
      repeated: 3001,
      outside: 0,
      unreadable: 0,
    });
    const grown = file(
      "a.log",
      `${lines.join("\n")}\nnot a line\n\n${line(3000)}\n${line(3001)}\n`,
    );
    expect(await importLog(grown, tenantId)).toEqual({
      counted: 2,
      repeated: 3001,
      outside: 0,
      unreadable: 0,
    });
    const another = file("other.log", `${lines[0]}\n${line(5)}\n`);
    expect(await importLog(another, tenantId)).toEqual({
      counted: 2,
      repeated: 0,
      outside: 0,
      unreadable: 0,
    });
    expect(Object.values(await byStatus(tenantId)).reduce((a, b) => a + b)).toBe(3004);
  });

  test("reads JSON lines, gzipped too, and reports lines out of range", async () => {
    const tenantId = await makeTenant();
    const lines = [
      {
        time: new Date(now - 60_000).toISOString(),
        method: "POST",
        path: "/cart/17/items",
        status: 201,
        duration_ms: 12,
      },
      {
        "@timestamp": (now - 60_000) / 1000,
        request: "GET /cart/18 HTTP/2",
        status: "404",
        request_time: "0.003",
      },
      { time: "2019-01-01T00:00:00Z", method: "GET", path: "/", status: 200 },
      { time: "yesterday", method: "GET", path: "/", status: 200 },
    ];
    const log = file("b.log.gz", gzipSync(lines.map((one) => JSON.stringify(one)).join("\n")));
    expect(await importLog(log, tenantId)).toEqual({
      counted: 2,
      repeated: 0,
      outside: 1,
      unreadable: 1,
    });
    expect(await byStatus(tenantId)).toEqual({
      "POST /cart/{id}/items 201": 1,
      "GET /cart/{id} 404": 1,
    });
  });
});

test("a line of the Combined format, with an offset and a quoted agent", () => {
  expect(
    readLine(
      '::1 - um [21/Nov/2026:01:05:59 +0100] "PUT /pim/preview/home/configuration HTTP/1.1" 412 9 "-" "a \\"b\\" c" 0.25',
    ),
  ).toEqual({
    at: Date.parse("2026-11-21T00:05:00Z"),
    method: "PUT",
    path: "/pim/preview/home/configuration",
    status: 412,
    ms: 250,
  });
  expect(readLine('::1 - - [31/Feb/2026:01:05:59 +0100] "GET / HTTP/1.1" 200 9')).toBeUndefined();
});

test("an address of an operation has its template, another one loses segments that look like ids", () => {
  expect(placeOf("/pim/preview/home/configuration?x=1")).toEqual({
    domain: "pim",
    template: "/pim/preview/{key}/configuration",
  });
  expect(placeOf("/orders/123e4567-e89b-12d3-a456-426614174000/lines/7")).toEqual({
    domain: "orders",
    template: "/orders/{id}/lines/{id}",
  });
});
