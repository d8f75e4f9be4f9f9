import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { firstBrokenEntry } from "@/bench/audit-chain";
import type { Endpoint } from "@/bench/deliveries/receivers";
import { until } from "@/bench/drill/servers";
import { closeStore, db, openStore } from "@/lib/database/open";
import type { Product } from "@/lib/server/testing/product";
import { batchDomain, changedLogin, changedPreview, type Diary, type Shop } from "./writers";

/** Descriptions of acknowledged writes that are missing. */
type Missing = string[];

const columns: Record<keyof Diary["made"], string> = {
  keys: "select api_key_id as id from api_keys where tenant_id = 'bench'",
  users: "select user_id as id from users where tenant_id = 'bench'",
  previews: "select preview_key as id from preview_configurations where tenant_id = 'bench'",
  customers: "select login as id from customers where tenant_id = 'bench'",
};

const values: Record<keyof Diary["values"], string> = {
  user: `select split_part(name, ' ', 2)::int as n from users where tenant_id = 'bench' and login = '${changedLogin}'`,
  preview: `select (convert_from(r.content, 'UTF8')::json->>'n')::int as n from preview_revisions r join preview_configurations p
    on p.tenant_id = r.tenant_id and p.preview_id = r.preview_id and p.version = r.n
    where r.tenant_id = 'bench' and p.preview_key = '${changedPreview}'`,
  customer: `select (details->'name'->>'last')::int as n from customers where tenant_id = 'bench' and login = 'shopper'`,
};

async function missingRows({ made, values: sent }: Diary): Promise<Missing> {
  const missing: Missing = [];
  for (const [kind, statement] of Object.entries(columns) as [keyof Diary["made"], string][]) {
    const { rows } = await db().execute<{ id: string }>(sql.raw(statement));
    const stored = new Set(rows.map(({ id }) => id));
    for (const id of made[kind]) if (!stored.has(id)) missing.push(`${kind}: ${id}`);
  }
  for (const [kind, statement] of Object.entries(values) as [keyof Diary["values"], string][]) {
    const { rows } = await db().execute<{ n: number }>(sql.raw(statement));
    const n = rows[0]?.n ?? Number.NaN;
    const { sent: last, kept } = sent[kind];
    if (!(n >= kept && n <= last)) missing.push(`${kind} at ${n}: ${kept} kept, ${last} sent`);
  }
  return missing;
}

/** Repeats the request until it succeeds, because the service may first have to recover pending work. */
async function answerOf({ url, world }: Shop, path: string): Promise<Response> {
  const headers = { "X-Service-Tenant": world.tenant, "X-Service-Session-Id": world.sessionId };
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url + path, { headers });
    if (response.ok || attempt === 60) return response;
    await pause(1000);
  }
}

/** A batch that was cut off may be counted or not; an acknowledged one must be counted. */
async function missingCalls(shop: Shop, { calls }: Diary): Promise<Missing> {
  const hour = 3_600_000;
  const query = new URLSearchParams({
    from: new Date(Date.now() - 24 * hour).toISOString(),
    to: new Date(Date.now() + hour).toISOString(),
    domain: batchDomain,
    group: "domain",
  });
  const response = await answerOf(shop, `/v1/api-metrics/metrics/top?${query}`);
  const body: { count: number }[] = await response.json();
  const counted = body.reduce((sum, { count }) => sum + count, 0);
  const isRight = counted >= calls.kept && counted <= calls.sent;
  return isRight ? [] : [`calls: ${counted} counted, ${calls.kept} kept, ${calls.sent} sent`];
}

async function brokenChain(shop: Shop): Promise<Missing> {
  const response = await answerOf(shop, "/v1/audit/verify");
  const { valid, ...rest } = await response.json();
  return valid === true ? [] : [`verify: ${response.status} ${JSON.stringify(rest)}`];
}

/** Checks that every acknowledged user is announced within some time. */
async function missingDeliveries({ made }: Diary, endpoint: Endpoint): Promise<Missing> {
  const left = () => {
    const subjects = [...endpoint.first.values()].map(({ subject }) => subject);
    const arrived = new Set(subjects.map((subject) => subject.split("/").at(-1)));
    return [...made.users].filter((id) => !arrived.has(id));
  };
  await until(() => left().length === 0, "all events arrived", 600_000).catch(() => undefined);
  return [...left().map((id) => `not delivered: ${id}`), ...endpoint.wrong];
}

/** All acknowledged writes that are missing, and all errors in the trail and the deliveries. */
export async function judge(
  { product, ...shop }: Shop & { product: Product },
  diary: Diary,
  { dataDir, endpoint }: { dataDir: string; endpoint: Endpoint },
): Promise<{ missing: Missing; entries: number }> {
  const missing = [
    ...(await missingDeliveries(diary, endpoint)),
    ...(await missingCalls(shop, diary)),
    ...(await brokenChain(shop)),
  ];
  await product.stop();
  const { entries, broken } = await firstBrokenEntry(dataDir, "bench");
  if (broken !== undefined) missing.push(`entry ${broken} of the trail does not fit`);
  await openStore();
  missing.push(...(await missingRows(diary)));
  await closeStore();
  return { missing, entries };
}
