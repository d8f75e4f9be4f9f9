import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A tenant with entries of the given ages, numbered from 1 000 000 001, and a user who may read the trail. */
async function trail(ages: readonly number[]) {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] });
  const { headers } = await makeApiKey(tenant, userId);
  const now = Date.now();
  const times = ages.map((age) => new Date(now - age).toISOString());
  await db().execute(sql`insert into audit_events
    (tenant_id, seq, audit_id, occurred_at, actor, action, target, changes, request_id, result, salt, address_hash, agent_hash, previous_hash, hash)
    select ${tenant}, 1000000000 + n, 'aud_' || n, t.at::timestamptz, '{"type":"system","id":"test"}', 'user.locked', '{"type":"user","id":"usr_1"}',
      '{}', n::text, 'success', '', '', '', '', ''
    from json_array_elements_text(${JSON.stringify(times)}::json) with ordinality t(at, n)`);
  const requests = (body: { requestId: string }[]) => body.map((one) => one.requestId);
  const at = (age: number) => new Date(now - age).toISOString();
  return { tenant, headers, requests, at };
}

test("a time range contains all its entries, although clocks put entries out of order", async () => {
  const ages = [60, 59, 43, 41.5, 40.5, 35].map((days) => days * dayMs);
  // The first has the lower number although its time is 50 minutes later.
  const [late, early] = [30 * dayMs, 30 * dayMs + 50 * minuteMs];
  const { headers, requests, at } = await trail([...ages, late, early]);
  const list = async (query: string) =>
    requests((await send(`GET /v1/audit/events?${query}`, { headers })).body);
  expect(await list(`from=${at(42 * dayMs)}&to=${at(40.2 * dayMs)}`)).toEqual(["5", "4"]);
  expect(await list(`to=${at(30 * dayMs + 25 * minuteMs)}&from=${at(31 * dayMs)}`)).toEqual(["8"]);
  expect(await list(`from=${at(30 * dayMs + 25 * minuteMs)}&to=${at(29 * dayMs)}`)).toEqual(["7"]);
  expect(await list(`to=${at(70 * dayMs)}`)).toEqual([]);
  expect(await list(`from=${at(-dayMs)}`)).toEqual([]);
});

test("the feed from its start contains all entries of 30 days, although clocks put entries out of order", async () => {
  const days = [90, 31, 30.02].map((count) => count * dayMs);
  const { headers } = await trail([
    ...days,
    30 * dayMs - 10 * minuteMs,
    30 * dayMs + 10 * minuteMs,
    dayMs,
  ]);
  const { body } = await send("GET /v1/events?type=user.locked", { headers });
  expect(body.map((one: { id: string }) => one.id)).toEqual(["evt_4", "evt_6"]);
});
