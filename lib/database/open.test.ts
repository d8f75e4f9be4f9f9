import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sites, tenants } from "@/lib/database/schema/schema";
import { failureOf } from "@/lib/database/testing/failing";
import { statementFaults } from "@/lib/database/testing/guard";
import { closeStore, db, isStoreDown, read, textKey, transaction, uniqueViolation } from "./open";

const newId = () => `t-${randomUUID()}`;
const site = (tenantId: string, siteId: string) => ({
  tenantId,
  siteId,
  name: "A site",
  createdAt: new Date(),
});
const siteName = (tenantId: string, siteId: string) =>
  db()
    .select({ name: sites.name })
    .from(sites)
    .where(and(eq(sites.tenantId, tenantId), eq(sites.siteId, siteId)));
afterEach(closeStore);

describe("a transaction", () => {
  const rename = (tenantId: string, siteId: string, name: string) =>
    sql`update sites set name = ${name} where tenant_id = ${tenantId} and site_id = ${siteId}`;

  test("that loses a deadlock is run again, and both writers succeed", async () => {
    const tenantId = newId();
    await db()
      .insert(sites)
      .values([site(tenantId, "one"), site(tenantId, "two")]);
    let runs = 0;
    let bothHoldOne: () => void = () => undefined;
    const holding = new Promise<void>((resolve) => {
      bothHoldOne = resolve;
    });
    const renameBoth = (first: string, second: string, name: string) =>
      transaction(async (tx) => {
        runs += 1;
        await tx.execute(rename(tenantId, first, name));
        if (runs === 2) bothHoldOne();
        await holding;
        await tx.execute(rename(tenantId, second, name));
      });
    await Promise.all([renameBoth("one", "two", "A"), renameBoth("two", "one", "B")]);
    expect(runs).toBe(3);
    expect(await siteName(tenantId, "one")).toEqual(await siteName(tenantId, "two"));
  });

  test("that conflicts on the audit chain is run again, and its first run is rolled back", async () => {
    const tenantId = newId();
    let runs = 0;
    await transaction(async (tx) => {
      runs += 1;
      await tx.insert(sites).values(site(tenantId, `run-${runs}`));
      const clash = sql`do $$ begin raise unique_violation using constraint = 'audit_events_pk'; end $$`;
      if (runs === 1) await tx.execute(clash);
    });
    expect(await siteName(tenantId, "run-1")).toEqual([]);
    expect(await siteName(tenantId, "run-2")).toHaveLength(1);
  });

  test("is given up after three more runs", async () => {
    let runs = 0;
    const error = await failureOf(
      transaction((tx) => {
        runs += 1;
        return tx.execute(sql`do $$ begin raise serialization_failure; end $$`);
      }),
    );
    expect(error).toBeInstanceOf(Error);
    expect(runs).toBe(4);
  });

  test("that fails for another reason is rolled back and not run again", async () => {
    const tenantId = newId();
    let runs = 0;
    const error = await failureOf(
      transaction(async (tx) => {
        runs += 1;
        await tx.insert(sites).values(site(tenantId, "one"));
        await tx.insert(sites).values(site(tenantId, "one"));
      }),
    );
    expect(uniqueViolation(error)).toBe("sites_pk");
    expect(runs).toBe(1);
    expect(await siteName(tenantId, "one")).toEqual([]);
  });
});

describe("a hot read", () => {
  test("gets its own rows while earlier and later ones fail", async () => {
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    const results = await Promise.allSettled(
      numbers.map((n) =>
        read<{ answer: number }>(`divide-${n % 3}`, `select 60 / $1::int as answer, ${n % 3}`, [
          n % 10,
        ]),
      ),
    );
    for (const [index, result] of results.entries()) {
      if (index % 10 === 0) expect(result.status).toBe("rejected");
      else expect(result).toMatchObject({ value: [{ answer: Math.trunc(60 / (index % 10)) }] });
    }
  });

  test("shares its rows with the same read queued before it is sent; a later read sees later writes", async () => {
    const tenantId = newId();
    const name = () =>
      read<{ name: string }>("site-name", "select name from sites where tenant_id = $1", [
        tenantId,
      ]);
    const [first, second] = await Promise.all([name(), name()]);
    expect(second).toBe(first);
    await db().insert(sites).values(site(tenantId, "one"));
    expect(await name()).toEqual([{ name: "A site" }]);
    const before = name();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await name()).not.toBe(await before);
  });

  test("fails at once when the server ends its connection, and the next one works", async () => {
    const ended = "select pg_terminate_backend(pg_backend_pid()), pg_sleep(5)";
    expect(isStoreDown(await failureOf(read("ended", ended, [])))).toBe(true);
    expect(await read("after", "select 1 as one", [])).toEqual([{ one: 1 }]);
  });
});

describe("the store's settings", () => {
  beforeEach(() => void vi.stubEnv("STORE_TIMEOUT_MS", "4000"));
  afterEach(() => void vi.unstubAllEnvs());
  const settings = {
    statement_timeout: ["3500ms", "8s"],
    lock_timeout: ["2s", "6s"],
    idle_in_transaction_session_timeout: ["6s", "6s"],
    // The server's own default is "on".
    jit: ["off", "off"],
    TimeZone: ["UTC", "UTC"],
    application_name: ["gatehouse", "gatehouse"],
  } as const;
  const names = Object.keys(settings) as (keyof typeof settings)[];
  test.each(names)("%s applies to both kinds of connection", async (name) => {
    const [piped, lent] = settings[name];
    expect(await read(`show-${name}`, "select current_setting($1) as value", [name])).toEqual([
      { value: piped },
    ]);
    expect((await db().execute(sql`select current_setting(${name}) as value`)).rows).toEqual([
      { value: lent },
    ]);
  });
});

describe("in tests", () => {
  test("a statement that is not limited to one tenant is rejected on every kind of connection", async () => {
    const everyTenant = db().select({ id: tenants.tenantId }).from(tenants);
    await expect(everyTenant).rejects.toMatchObject({
      cause: expect.objectContaining({
        message: expect.stringContaining("not held to one tenant"),
      }),
    });
    await expect(read("all", "select login from users", [])).rejects.toThrow(
      "not held to one tenant",
    );
    await expect(transaction((tx) => tx.execute(sql`delete from users`))).rejects.toThrow();
    expect(statementFaults.splice(0)).toHaveLength(3);
  });
});

describe("a name of prepared statements", () => {
  test("has only one text: a second one is rejected", async () => {
    await read("one-text", "select 1 as one", []);
    await expect(read("one-text", "select 2 as two", [])).rejects.toThrow("another text");
    expect(statementFaults.splice(0)).toHaveLength(1);
  });

  test("that is derived from a text differs for another text", () => {
    expect(textKey("select 1")).toMatch(/^[\w-]{16}$/);
    expect(textKey("select 1")).toBe(textKey("select 1"));
    expect(textKey("select 1")).not.toBe(textKey("select 2"));
  });
});
