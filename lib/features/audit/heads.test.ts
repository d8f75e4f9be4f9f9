import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditHeads } from "@/lib/database/schema/schema";
import { makeTenant } from "@/lib/setup/testing/factories";
import { emptyHead } from "./chain";
import { readHeads, thinHeads } from "./heads";

test("keeps all signed heads of the last day, the first and last one of each day before, and none after 430 days", async () => {
  const tenant = await makeTenant();
  const now = new Date("2026-01-31T12:00:00Z");
  const head = (seq: number, at: string) => ({
    ...{ tenantId: tenant, seq, hash: emptyHead, mac: null, kid: "trail-x", signature: emptyHead },
    signedAt: new Date(at),
  });
  await db()
    .insert(auditHeads)
    .values([
      head(1, "2024-01-01T00:00:00Z"),
      head(2, "2026-01-29T01:00:00Z"),
      head(2, "2026-01-29T09:00:00Z"),
      head(3, "2026-01-29T23:00:00Z"),
      head(4, "2026-01-31T01:00:00Z"),
      head(5, "2026-01-31T02:00:00Z"),
    ]);
  await thinHeads(tenant, now);
  const kept = (await readHeads(tenant)).map(({ seq, signedAt }) => [seq, signedAt.getUTCHours()]);
  expect(kept).toEqual([
    [5, 2],
    [4, 1],
    [3, 23],
    [2, 1],
  ]);
  await thinHeads(tenant, new Date("2030-01-01T00:00:00Z"));
  expect((await readHeads(tenant)).map(({ seq }) => seq)).toEqual([5]);
});
