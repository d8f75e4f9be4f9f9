import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { alerts, tenants } from "@/lib/database/schema/schema";
import { onEmptyStore } from "@/lib/database/testing/empty-store";
import { dayOfTraffic } from "@/lib/features/metrics/demo-traffic";
import { dayMs } from "@/lib/features/metrics/grains";
import { writeCells } from "@/lib/features/metrics/write";
import { makeTenant } from "@/lib/setup/testing/factories";
import { addDemoAlerts } from "./alerts";

/** Creates the tenant `demo` and two days of its traffic, in a store that another test's demo does not share. */
async function makeDemo(): Promise<void> {
  const like = await makeTenant();
  const [row] = await db().select().from(tenants).where(eq(tenants.tenantId, like));
  if (!row) throw new Error("The tenant that was made is not there.");
  await db()
    .insert(tenants)
    .values({ ...row, tenantId: "demo", kind: "demo" });
  const end = Date.now();
  const today = Math.floor(end / dayMs) * dayMs;
  for (const [index, day] of [today - dayMs, today].entries()) {
    const batch = { tenantId: "demo", source: "test", seq: index + 1 };
    await writeCells(batch, dayOfTraffic(day, end, []));
  }
}

test("the demo has rules, and the one whose calls have stopped is firing", () =>
  onEmptyStore(async () => {
    await makeDemo();
    await addDemoAlerts();
    const found = await db().select().from(alerts).where(eq(alerts.tenantId, "demo"));
    const firing = found.filter(({ status }) => status === "firing").map(({ name }) => name);
    expect(found.length).toBeGreaterThan(1);
    expect(found.filter(({ status }) => status === "pending")).toEqual([]);
    expect(firing).toEqual(["Order import is silent"]);
  }));
