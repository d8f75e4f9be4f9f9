import { afterEach, expect, test, vi } from "vitest";
import { log } from "@/lib/protocol/log";
import { db, read } from "./open";
import { slowStatements, withoutValues } from "./stuck-statements";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test.each([
  ["select * from users where login = 'ann@example.com'", "select * from users where login = ?"],
  ["select 'it''s', e'a\\'b', 42, 3.5, $1, t1.c2", "select ?, ?, ?, ?, $1, t1.c2"],
  ["do $$ begin perform 'x'; end $$", "do ?"],
  ["select\n    1", "select ?"],
])("a statement is logged without its values: %s", (text, shown) => {
  expect(withoutValues(text)).toBe(shown);
});

test("logs a statement that took longer than SLOW_STATEMENT_MS, lent or piped, without its values", async () => {
  vi.stubEnv("SLOW_STATEMENT_MS", "60");
  const warn = vi.spyOn(log(), "warn");
  const before = slowStatements();
  const ofTest = (fields: unknown) => JSON.stringify(fields).includes("pg_sleep");
  await db().$client.query("select pg_sleep($1), 'ann@example.com' as login", [0.1]);
  await read("slow-test", "select pg_sleep($1)::text as slept, 'ann@example.com' as login", [0.1]);
  const lines = warn.mock.calls.filter(([, message]) => message === "slow statement");
  expect(lines.map(([fields]) => fields).filter(ofTest)).toMatchObject([
    { statement: "select pg_sleep($1), ? as login" },
    { name: "slow-test", statement: "select pg_sleep($1)::text as slept, ? as login" },
  ]);
  expect(JSON.stringify(lines)).not.toContain("ann@example.com");
  expect(slowStatements() - before).toBe(lines.length);
});

test("logs nothing if it is 0, and no faster statements", async () => {
  const warn = vi.spyOn(log(), "warn");
  vi.stubEnv("SLOW_STATEMENT_MS", "0");
  await db().$client.query("select pg_sleep(0.1)");
  vi.stubEnv("SLOW_STATEMENT_MS", "60000");
  await db().$client.query("select pg_sleep(0.1)");
  expect(warn.mock.calls.filter(([, message]) => message === "slow statement")).toEqual([]);
});
