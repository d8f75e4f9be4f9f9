import { and, eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db, transaction } from "@/lib/database/open";
import { previewReleases, tenants, users } from "@/lib/database/schema/schema";
import { awaitLockWaits } from "@/lib/database/testing/lock-waits";
import { actionsOf } from "@/lib/features/audit/testing/trail";
import { testServer } from "@/lib/http/testing/test-server";
import { makeReleaser, type Releaser } from "./testing/release-world";
import { publishDueReleases, startPublishing } from "./worker";

const send = testServer();
let world: Releaser;
let id: string;

const inMs = (ms: number) => new Date(Date.now() + ms);
const later = () => inMs(7_200_000);

beforeAll(() => {
  process.env.RATE_LIMITS = "off";
});
beforeEach(async () => {
  world = await makeReleaser(send);
  await world.draft("home", "sale");
  const entries = [{ key: "home" }, { key: "sale" }];
  id = (await world.create({ entries, at: inMs(3_600_000).toISOString() })).body.id;
});

const versions = async () => {
  const { body } = await send("GET /pim/preview", { headers: world.headers });
  return body.map(({ version }: { version: number }) => version);
};

const actions = () => actionsOf(world.tenant);

test("a release is not published before it is due", async () => {
  await publishDueReleases(new Date());
  expect((await world.show(id)).body.state).toBe("scheduled");
  expect(await world.stages("home", "sale")).toEqual(["draft", "draft"]);
});

test("a release that became due while no process ran is published by the next one", async () => {
  await db()
    .update(previewReleases)
    .set({ publishAt: inMs(-60_000) })
    .where(and(eq(previewReleases.tenantId, world.tenant), eq(previewReleases.releaseId, id)));
  const stop = startPublishing();
  await expect.poll(async () => (await world.show(id)).body.state).toBe("published");
  await stop();
  expect(await world.stages("home", "sale")).toEqual(["live", "live"]);
});

test("of several processes one publishes a release", async () => {
  const both = transaction(async (tx) => {
    await tx
      .update(tenants)
      .set({ auditSeq: sql`${tenants.auditSeq}` })
      .where(eq(tenants.tenantId, world.tenant));
    const looks = [publishDueReleases(later()), publishDueReleases(later())];
    await awaitLockWaits(tx, 2);
    return { looks };
  });
  await Promise.all((await both).looks);
  expect((await world.show(id)).body.state).toBe("published");
  expect(await versions()).toEqual([2, 2]);
  expect((await actions()).filter((one) => one === "release.published")).toHaveLength(1);
});

test("a process that is interrupted while publishing changes nothing: the next run publishes everything", async () => {
  const cut = transaction(async (tx) => {
    await tx
      .update(tenants)
      .set({ auditSeq: sql`${tenants.auditSeq}` })
      .where(eq(tenants.tenantId, world.tenant));
    const look = publishDueReleases(later());
    await awaitLockWaits(tx);
    await tx.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and datname = current_database()`,
    );
    return { look };
  });
  await (await cut).look;
  expect((await world.show(id)).body.state).toBe("scheduled");
  expect(await versions()).toEqual([1, 1]);
  await publishDueReleases(later());
  expect((await world.show(id)).body.state).toBe("published");
  expect(await versions()).toEqual([2, 2]);
});

describe("a due release fails as a whole, reports why and can be fixed", () => {
  test("when a configuration was changed after scheduling", async () => {
    await world.previews.put("sale", '{"stage":"draft","n":2}');
    await publishDueReleases(later());
    expect((await world.show(id)).body).toMatchObject({
      state: "failed",
      problems: [{ key: "sale", code: "release.conflict" }],
    });
    expect(await world.stages("home", "sale")).toEqual(["draft", "draft"]);
    expect((await actions()).at(-1)).toBe("release.failed");
    await world.change(id, { entries: [{ key: "home" }, { key: "sale" }] });
    expect((await world.show(id)).body).toMatchObject({ state: "open", problems: [] });
    expect((await world.publish(id)).body.state).toBe("published");
  });

  test("when its scheduler may no longer write", async () => {
    const { tenant: tenantId, userId } = world;
    await db()
      .update(users)
      .set({ isLocked: true })
      .where(and(eq(users.tenantId, tenantId), eq(users.userId, userId)));
    await publishDueReleases(later());
    const where = and(eq(previewReleases.tenantId, tenantId), eq(previewReleases.releaseId, id));
    const [row] = await db().select().from(previewReleases).where(where);
    expect(row).toMatchObject({ state: "failed", problems: [{ key: null, code: "user.locked" }] });
  });
});
