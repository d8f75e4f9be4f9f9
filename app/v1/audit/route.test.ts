import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db, transaction } from "@/lib/database/open";
import { auditCheckpoints, auditEvents } from "@/lib/database/schema/schema";
import { pruneAuditEvents } from "@/lib/features/audit/checkpoints";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;
type Row = Partial<typeof auditEvents.$inferInsert>;

const send = testServer();

/** A tenant with this many entries, and the headers of a user who may read them. */
async function trail(entries: number): Promise<{ tenant: string; headers: Headers }> {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] });
  await transaction(async (tx) => {
    for (let n = 1; n <= entries; n += 1) {
      const target = { type: "user", id: `user_${n}`, name: `=cmd("${n}")` };
      const changes = { name: { before: `a,${n}`, after: "b" } };
      await record(tx, actingAsSystem(tenant, "test"), {
        action: n % 2 ? "user.locked" : "api-key.created",
        target,
        changes,
      });
    }
  });
  return { tenant, headers: (await makeApiKey(tenant, userId)).headers };
}

const change = (tenant: string, seq: number, row: Row) =>
  db()
    .update(auditEvents)
    .set(row)
    .where(and(eq(auditEvents.tenantId, tenant), eq(auditEvents.seq, seq)));
const verify = (headers: Headers, query = "") => send(`GET /v1/audit/verify${query}`, { headers });
const idOf = async (tenant: string, seq: number) =>
  (
    await db()
      .select({ id: auditEvents.auditId })
      .from(auditEvents)
      .where(and(eq(auditEvents.tenantId, tenant), eq(auditEvents.seq, seq)))
  )[0]?.id;

describe("GET /v1/audit/events", () => {
  let world: Awaited<ReturnType<typeof trail>>;
  beforeAll(async () => {
    world = await trail(4);
  });
  const list = async (query: string) => {
    const { body } = await send(`GET /v1/audit/events${query}`, { headers: world.headers });
    return body.map((event: { target: { id: string } }) => event.target.id);
  };

  test("200: filters by action, by all actions of a kind, by target and by actor", async () => {
    expect(await list("?action=user.locked")).toEqual(["user_3", "user_1"]);
    expect(await list("?action=api-key.*")).toEqual(["user_4", "user_2"]);
    expect(await list("?action=user.lock")).toEqual([]);
    expect(await list("?target=user_2")).toEqual(["user_2"]);
    expect(await list("?actor=test&limit=1")).toEqual(["user_4"]);
    expect(await list("?actor=nobody")).toEqual([]);
  });

  test("403: a role at a site cannot read the audit trail", async () => {
    const { userId } = await makeUser(world.tenant, { sites: { one: ["portal.users.mgmt"] } });
    const { headers } = await makeApiKey(world.tenant, userId);
    for (const operation of ["events", "export", "verify", "heads"]) {
      const answer = await send(`GET /v1/audit/${operation}`, {
        headers: { ...headers, "X-Service-Site": "one" },
      });
      expect([answer.status, answer.body.reason], operation).toEqual([403, "audit.read"]);
    }
  });
});

describe("GET /v1/audit/export", () => {
  test("200: the same entries as JSON, as NDJSON and as CSV, also when they span several parts", async () => {
    const { headers } = await trail(1003);
    const get = (accept: string) =>
      send("GET /v1/audit/export", { headers: { ...headers, Accept: accept } });
    const [json, ndjson, csv] = await Promise.all(
      ["application/json", "application/x-ndjson", "text/csv"].map(get),
    );
    expect(json?.body).toHaveLength(1003);
    expect(ndjson?.headers.get("content-type")).toBe("application/x-ndjson");
    expect(
      ndjson?.text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(json?.body);
    const lines = csv?.text.trimEnd().split("\r\n") ?? [];
    expect([csv?.headers.get("content-type"), lines.length]).toEqual([
      "text/csv; charset=utf-8",
      1004,
    ]);
    expect(lines[0]).toContain("id,occurredAt,actorType");
    expect(lines[1]).toContain(json?.body[0].id);
  });

  test("200: commas do not break the CSV, and it runs no formulas", async () => {
    const { headers } = await trail(1);
    const { text } = await send("GET /v1/audit/export", {
      headers: { ...headers, Accept: "text/csv" },
    });
    expect(text).toContain('"\'=cmd(""1"")"');
    expect(text).toContain('"{""name"":{""after"":""b"",""before"":""a,1""}}"');
  });

  test("200: filters apply, and without entries it is an empty list", async () => {
    const { headers } = await trail(2);
    expect((await send("GET /v1/audit/export?target=user_1", { headers })).body).toHaveLength(1);
    expect((await send("GET /v1/audit/export?target=none", { headers })).body).toEqual([]);
  });

  test("406: an unsupported format", async () => {
    const { headers } = await trail(0);
    expect(
      (await send("GET /v1/audit/export", { headers: { ...headers, Accept: "application/pdf" } }))
        .status,
    ).toBe(406);
  });
});

describe("GET /v1/audit/verify", () => {
  test("200: an untampered chain is valid up to its head, also an empty one", async () => {
    const { headers } = await trail(3);
    expect((await verify(headers)).body).toMatchObject({
      valid: true,
      complete: true,
      entries: 3,
      checkedTo: 3,
      head: { seq: 3 },
    });
    expect((await verify(headers, "?after=2")).body).toMatchObject({
      valid: true,
      entries: 1,
      checkedTo: 3,
    });
    expect((await verify((await trail(0)).headers)).body).toMatchObject({
      valid: true,
      entries: 0,
    });
  });

  test.each<[string, Row, string]>([
    ["one letter of a change", { changes: { name: { before: "a,2", after: "c" } } }, "personal"],
    ["the action", { action: "user.unlocked" }, "content"],
    ["the MAC", { mac: Buffer.alloc(32) }, "mac"],
    ["the key that the MAC names", { keyId: "0000000000000000" }, "key"],
    ["the key and MAC, as if there had been none", { keyId: null, mac: null }, "unkeyed"],
    ["the actor", { actor: { type: "system", id: "tesT" } }, "content"],
    ["the time by a millisecond", { occurredAt: new Date(0) }, "content"],
    ["the hash", { hash: Buffer.alloc(32) }, "content"],
    ["the link to the entry before", { previousHash: Buffer.alloc(32) }, "link"],
    ["the address", { address: "10.0.0.1" }, "address"],
    ["the agent", { agent: "curl" }, "agent"],
  ])("200: %s of the second of three changed is found and named", async (_, row, problem) => {
    const { tenant, headers } = await trail(3);
    await change(tenant, 2, row);
    const { body } = await verify(headers);
    expect(body).toMatchObject({
      valid: false,
      checkedTo: 1,
      broken: { seq: 2, id: await idOf(tenant, 2), problem },
    });
  });

  test("200: a deleted entry is reported, also the newest one", async () => {
    for (const [seq, problem] of [
      [2, "missing"],
      [3, "missing"],
    ] as const) {
      const { tenant, headers } = await trail(3);
      await db()
        .delete(auditEvents)
        .where(and(eq(auditEvents.tenantId, tenant), eq(auditEvents.seq, seq)));
      expect((await verify(headers)).body).toMatchObject({
        valid: false,
        broken: { seq, problem },
      });
    }
  });

  test("200: address and agent may be erased", async () => {
    const { tenant, headers } = await trail(2);
    await change(tenant, 1, { address: null, agent: null });
    expect((await verify(headers)).body.valid).toBe(true);
    expect(
      (await send("GET /v1/audit/events?target=user_1", { headers })).body[0],
    ).not.toHaveProperty("address");
  });

  test("200: expired entries are deleted, a signed checkpoint replaces them, and the rest still verifies", async () => {
    const aged = await trail(0);
    for (const days of [401, 400.5, 1]) {
      const acting = actingAsSystem(aged.tenant, "test");
      const at = new Date(Date.now() - days * 86_400_000);
      await transaction((tx) =>
        record(tx, acting, { action: "user.locked", target: { type: "user", id: "u" } }, at),
      );
    }
    await pruneAuditEvents(aged.tenant, new Date());
    const { body } = await verify(aged.headers);
    expect(body).toMatchObject({ valid: true, entries: 1, checkedTo: 3, checkpoint: { seq: 2 } });
    expect((await send("GET /v1/audit/events", { headers: aged.headers })).body).toHaveLength(1);
    await db()
      .update(auditCheckpoints)
      .set({ madeAt: new Date(0) })
      .where(eq(auditCheckpoints.tenantId, aged.tenant));
    expect((await verify(aged.headers)).body).toMatchObject({
      valid: false,
      broken: { seq: 2, problem: "checkpoint" },
    });
  });

  test("400: an unknown entry", async () => {
    const { headers } = await trail(1);
    for (const after of ["9", "x", "-1"])
      expect((await verify(headers, `?after=${after}`)).body.reason).toBe("?after");
  });
});
