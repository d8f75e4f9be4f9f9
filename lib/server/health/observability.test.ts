import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { db, lane } from "@/lib/database/open";
import { noteJob } from "@/lib/protocol/per-process";
import { startServer } from "@/lib/server/serve";
import { exposition } from "./measures";

const read = (file: string) =>
  readFileSync(join(projectRoot(), "deploy", "observability", file), "utf8");

/** Each series by its name, with the labels it has. */
const exposed = new Map<string, Set<string>>();

/** Keywords of PromQL, and metrics of Prometheus itself. */
const foreign = new Set(["up", "le", "instance", "job"]);

beforeAll(async () => {
  const server = await startServer({ port: 0 });
  await server.close();
  await db().$client.query("select 1");
  await lane("metrics").query("select 1");
  noteJob("audit-heads", true);
  const { text } = await exposition();
  for (const line of text.split("\n")) {
    const [, name, labels = ""] = /^(?:# TYPE )?([a-z_0-9]+)(?:\{([^}]*)\})? /.exec(line) ?? [];
    if (name === undefined) continue;
    const known = exposed.get(name) ?? new Set();
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label);
    exposed.set(name, known);
    if (/^# TYPE \w+ histogram/.test(line))
      for (const part of ["_bucket", "_count", "_sum"])
        exposed.set(`${name}${part}`, new Set(["le", "method", "route", "status"]));
  }
});

/** The selectors of an expression: each metric with the labels in its selector. */
function selectors(expression: string): [name: string, labels: string[]][] {
  return [...expression.matchAll(/([a-z_][a-z_0-9]*)\{([^}]*)\}/g)].map(
    ([, name = "", inside = ""]) => [
      name,
      [...inside.matchAll(/(\w+)(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
    ],
  );
}

/** Names of metrics and labels in the expressions that the process does not export. */
function unknownNames(expressions: readonly string[]): string[] {
  return expressions.flatMap(selectors).flatMap(([name, labels]) => {
    if (name === "up") return [];
    const known = exposed.get(name);
    if (!known) return [name];
    return labels
      .filter((label) => !known.has(label) && !foreign.has(label))
      .map((label) => `${name}{${label}}`);
  });
}

const alertExpressions = () =>
  [...read("alerts.yml").matchAll(/^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.+)\n)/gm)].map(
    ([, block, line]) => block ?? line ?? "",
  );

const dashboardExpressions = (): string[] =>
  JSON.parse(read("dashboard.json")).panels.flatMap((panel: { targets: { expr: string }[] }) =>
    panel.targets.map(({ expr }) => expr),
  );

describe("metrics in alert rules and the dashboard", () => {
  test("alert rules use metrics and labels that exist", () => {
    expect(alertExpressions().length).toBe(read("alerts.yml").split("- alert:").length - 1);
    expect(unknownNames(alertExpressions())).toEqual([]);
  });

  test("the dashboard uses metrics and labels that exist", () => {
    expect(dashboardExpressions().length).toBeGreaterThan(20);
    expect(unknownNames(dashboardExpressions())).toEqual([]);
  });

  test("every expression selects something", () => {
    for (const expression of [...alertExpressions(), ...dashboardExpressions()])
      expect(selectors(expression), expression).not.toEqual([]);
  });

  test("an unknown metric and an unknown label are detected", () => {
    expect(unknownNames(['sum(store_pools{job="gatehouse"})'])).toEqual(["store_pools"]);
    expect(unknownNames(['store_pool_waiting{queue="main"}'])).toEqual([
      "store_pool_waiting{queue}",
    ]);
  });

  test("pools, queues, spool, cache, hashes and jobs are measured", () => {
    for (const name of [
      "store_pool_connections",
      "store_pool_waiting",
      "store_pipe_statements",
      "http_admission_queued",
      "api_metrics_spool_bytes",
      "credential_cache_entries",
      "password_hashes_waiting",
      "job_last_success_timestamp_seconds",
      "nodejs_gc_duration_seconds",
      "work_duration_seconds",
    ])
      expect(exposed.has(name), name).toBe(true);
  });
});
