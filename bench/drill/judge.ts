import { Client } from "pg";
import type { Asked, Diary } from "./load";
import { ask, type DrillTenant, withKey } from "./world";

/** The result for the acknowledged writes. */
export interface Verdict {
  acknowledged: number;
  lost: number;
  twice: number;
  brokenTrails: number;
  odd: string[];
}

/** Compares the recorded requests of a load with the rows of the store, and has the product verify each trail. */
export async function judge(
  diary: Diary,
  tenants: readonly DrillTenant[],
  { store, url }: { store: string; url: string },
): Promise<Verdict> {
  const client = new Client({ connectionString: store });
  await client.connect();
  const { rows } = await client.query<{ tenant: string; id: string; name: string }>(
    "select tenant_id as tenant, api_key_id as id, name from api_keys",
  );
  await client.end();
  const stored = new Map(rows.map(({ tenant, id, name }) => [`${tenant}/${id}`, name]));
  const counts = new Map<string, number>();
  for (const { tenant, name } of rows)
    counts.set(`${tenant}/${name}`, (counts.get(`${tenant}/${name}`) ?? 0) + 1);
  const keys = diary.acknowledged;
  const lostKeys = keys.filter(({ tenant, id, name }) => stored.get(`${tenant}/${id}`) !== name);
  const lostPuts = await lostConfigurations(diary, tenants, url);
  const twice = diary.names.filter(
    ({ tenant, name }) => (counts.get(`${tenant}/${name}`) ?? 0) > 1,
  );
  return {
    acknowledged: keys.length + diary.asked.filter(isPut).length,
    lost: lostKeys.length + lostPuts,
    twice: twice.length,
    brokenTrails: await brokenTrails(tenants, url),
    odd: diary.odd,
  };
}

const isPut = ({ kind, status }: Asked) => kind === "put" && status === 200;

async function lostConfigurations(
  { puts }: Diary,
  tenants: readonly DrillTenant[],
  url: string,
): Promise<number> {
  let lost = 0;
  for (const one of tenants) {
    const value = puts.get(one.tenant);
    if (value === undefined) continue;
    const headers = { ...withKey(one), "X-Service-Site": one.site };
    const path = "/pim/preview/home/configuration";
    const { body } = await ask(url, { method: "GET", path, headers });
    if (body.value !== value) lost += 1;
  }
  return lost;
}

async function brokenTrails(tenants: readonly DrillTenant[], url: string): Promise<number> {
  let broken = 0;
  for (const one of tenants) {
    const { status, body } = await ask(url, {
      method: "GET",
      path: "/v1/audit/verify",
      headers: withKey(one),
    });
    if (status !== 200 || body.valid !== true) broken += 1;
  }
  return broken;
}

export const isGood = ({ verdict }: { verdict: Verdict }): boolean =>
  verdict.lost === 0 && verdict.twice === 0 && verdict.brokenTrails === 0;

const wasAnswered = ({ status }: Asked) => status >= 200 && status < 300;

/** The numbers of successful and failed requests that were sent between two times; the failed ones by status and code. */
export function answersBetween(
  { asked }: Diary,
  from: number,
  to: number,
  isOf: (one: Asked) => boolean = () => true,
): { good: number; bad: number; statuses: string } {
  const found = asked.filter((one) => one.from >= from && one.from < to && isOf(one));
  const failed = found.filter((one) => !wasAnswered(one) && one.status !== 409);
  const counts = new Map<string, number>();
  for (const { status, code, hasRetryAfter } of failed) {
    const said = [status, code, hasRetryAfter ? "with Retry-After" : "without"].filter(Boolean);
    const name = status === 0 ? "none" : said.join(" ");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const statuses = [...counts].map(([name, count]) => `${count} × ${name}`).join(", ");
  return { good: found.length - failed.length, bad: failed.length, statuses: statuses || "none" };
}

/** Milliseconds from `moment` until every tenant has had a successful request that was sent after it. */
export function backAfter(
  { asked }: Diary,
  moment: number,
  tenants: readonly string[],
  isOf: (one: Asked) => boolean = () => true,
): number {
  const first = tenants.map((tenant) => {
    const found = asked.find(
      (one) => one.tenant === tenant && one.from >= moment && wasAnswered(one) && isOf(one),
    );
    return found === undefined ? Number.POSITIVE_INFINITY : found.to - moment;
  });
  return Math.max(0, ...first);
}

/** A table in Markdown, and a sentence with the totals. */
export function report(rows: readonly (readonly [string, string])[], verdict: Verdict): string {
  const { acknowledged, lost, twice, brokenTrails: broken, odd } = verdict;
  const lines = rows.map(([what, result]) => `| ${what} | ${result} |`);
  return [
    "| What | Result |",
    "|---|---|",
    ...lines,
    "",
    `${acknowledged} acknowledged writes: ${lost} lost, ${twice} executed twice; ${broken} audit trails broken; ${odd.length} answers that no fault explains.`,
    ...odd.slice(0, 10).map((one) => `  ${one}`),
    "",
  ].join("\n");
}
