import { expect, test } from "vitest";
import { lane } from "@/lib/database/open";
import { makeTenant } from "@/lib/setup/testing/factories";
import { minuteMs } from "./grains";
import { countCalls } from "./query-engine";
import { groups } from "./values";

test("many forms of queries leave no prepared statement on the server", async () => {
  const tenantId = await makeTenant();
  const to = Math.floor(Date.now() / minuteMs) * minuteMs;
  for (const first of groups)
    for (const second of groups) {
      const asked = first === second ? [first] : [first, second];
      const filters = { status: ["200"] };
      const question = { filters, statusClasses: ["2"], timeZone: "UTC", period: undefined };
      await countCalls({ tenantId, from: to - 60 * minuteMs, to, group: asked, ...question }, to);
    }
  const pool = lane("questions");
  const clients = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
  try {
    const text = "select name from pg_prepared_statements where statement like '%metric_minutes%'";
    const found = await Promise.all(clients.map((client) => client.query(text)));
    expect(found.flatMap(({ rows }) => rows)).toEqual([]);
  } finally {
    for (const client of clients) client.release();
  }
});
