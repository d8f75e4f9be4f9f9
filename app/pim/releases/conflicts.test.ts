import { and, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { tenantQuotas } from "@/lib/database/schema/schema";
import {
  both,
  makeReleaser,
  type Releaser,
} from "@/lib/features/previews/releases/testing/release-world";
import { testServer } from "@/lib/http/testing/test-server";

const send = testServer();
let world: Releaser;

beforeAll(() => {
  process.env.RATE_LIMITS = "off";
});
beforeEach(async () => {
  world = await makeReleaser(send);
  await world.draft("home", "sale");
});

describe("409", () => {
  test("a configuration changed after it was added: nothing of the release is published", async () => {
    const id = await world.made();
    await world.previews.put("sale", '{"stage":"draft","n":2}');
    const answer = await world.publish(id);
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
      409,
      "release.conflict",
      "sale",
    ]);
    expect(await world.stages("home", "sale")).toEqual(["draft", "draft"]);
    expect((await world.show(id)).body.state).toBe("open");
    await world.change(id, both);
    expect((await world.publish(id)).status).toBe(200);
    expect(await world.stages("home", "sale")).toEqual(["live", "staged"]);
  });

  test("the error lists the archived or deleted configurations", async () => {
    const id = await world.made();
    const { headers } = world;
    await send("POST /pim/preview/home/archive", { headers });
    await send("DELETE /pim/preview/sale", { headers });
    const answer = await world.publish(id);
    expect(answer.status).toBe(409);
    expect(answer.body.reason.split(",").toSorted()).toEqual(["home", "sale"]);
  });

  test("rejects a version that is not the newest, and an archived configuration", async () => {
    await world.previews.put("home", "{}");
    const stale = await world.create({ entries: [{ key: "home", version: 1 }] });
    expect([stale.status, stale.body.code]).toEqual([409, "release.conflict"]);
    const id = await world.made();
    const change = await world.change(id, { entries: [{ key: "home", version: 1 }] });
    expect([change.status, change.body.code]).toEqual([409, "release.conflict"]);
    await send("POST /pim/preview/home/archive", { headers: world.headers });
    expect((await world.create(both)).body.code).toBe("release.conflict");
  });

  test("a published or cancelled release is not published, changed or cancelled again", async () => {
    const id = await world.made();
    await world.publish(id);
    const answers = [
      await world.publish(id),
      await world.cancel(id),
      await world.change(id, { name: "x" }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [409, "release.ended"]),
    );
  });
});

describe("429", () => {
  const limit = (quota: string, max: number, used: number | null = null) =>
    db()
      .insert(tenantQuotas)
      .values({ tenantId: world.tenant, quota, max, used, countedAt: new Date() })
      .onConflictDoUpdate({
        target: [tenantQuotas.tenantId, tenantQuotas.quota],
        set: { max, used },
      });

  test("more open releases than the tenant may have", async () => {
    await limit("releases", 1);
    const id = await world.made();
    expect((await world.create(both)).body).toMatchObject({
      code: "quota.exceeded",
      reason: "releases",
    });
    await world.cancel(id);
    await world.made();
  });

  test("no space for the revisions: nothing is published", async () => {
    const id = await world.made();
    await limit("preview-bytes", 10, 10);
    expect((await world.publish(id)).body.code).toBe("quota.exceeded");
    const where = and(
      eq(tenantQuotas.tenantId, world.tenant),
      eq(tenantQuotas.quota, "preview-bytes"),
    );
    await db().delete(tenantQuotas).where(where);
    expect(await world.stages("home", "sale")).toEqual(["draft", "draft"]);
  });
});
