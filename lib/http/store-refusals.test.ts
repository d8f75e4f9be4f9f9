import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { onTriggers } from "@/lib/database/testing/databases";
import { configurationOf, makeEditor } from "@/lib/features/previews/testing/preview-world";
import { testServer } from "./testing/test-server";

const send = testServer();
let editor: Awaited<ReturnType<typeof makeEditor>>;
let api: ReturnType<typeof configurationOf>;

const run = (text: string) => onTriggers(process.env.DATABASE_URL ?? "", text);

beforeAll(() => void vi.stubEnv("RATE_LIMITS", "off"));
afterAll(() => void vi.unstubAllEnvs());

beforeEach(async () => {
  editor = await makeEditor();
  api = configurationOf(send, editor.key);
  expect((await api.create("home")).status).toBe(201);
});

/** Runs the work while each insert into the audit trail of the editor's tenant executes this statement first. */
async function whileEntries(doing: string, work: () => Promise<void>): Promise<void> {
  await run(`create function before_entry() returns trigger language plpgsql as $$ begin
    if new.tenant_id = '${editor.tenant}' then ${doing} end if; return new; end $$`);
  await run(
    "create trigger before_entry before insert on audit_events for each row execute function before_entry()",
  );
  try {
    await work();
  } finally {
    await run("drop trigger before_entry on audit_events");
    await run("drop function before_entry()");
  }
}

describe("200: simultaneous writes of one tenant wait for each other, and none is rejected", () => {
  // Every audit entry is written under a lock of the tenant's row: each one holds it for this time, as on a slow machine.
  const slowly = "perform pg_sleep(0.02);";
  const writers = <T>(count: number, write: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => write(n)));

  test("fifty to one row", () =>
    whileEntries(slowly, async () => {
      const answers = await writers(50, (n) => api.put("home", `{"writer":${n}}`));
      expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    }));

  test("twelve to the same row and twelve to different rows", () =>
    whileEntries(slowly, async () => {
      const answers = await writers(24, (n) =>
        n % 2 ? api.put("home", `{"writer":${n}}`) : api.create(`page-${n}`),
      );
      const expected = Array.from({ length: 24 }, (_, n) => (n % 2 ? 200 : 201));
      expect(answers.map(({ status }) => status)).toEqual(expected);
    }));
});

describe("503 server.store-full", () => {
  test.each([
    ["the disk has no room", "53100"],
    ["memory has no room", "53200"],
    ["a limit of the store is reached", "53400"],
    ["a disk cannot be written", "58030"],
  ])("%s (%s): with Retry-After, nothing changed, reads continue", (_, code) =>
    whileEntries(`raise exception 'no room' using errcode = '${code}';`, async () => {
      const refused = await api.put("home", '{"a":1}');
      expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
        503,
        "server.store-full",
        "30",
      ]);
      const read = await api.get("home");
      expect([read.status, read.text]).toEqual([200, "{}"]);
    }),
  );

  test("once there is space again the next write succeeds", async () => {
    await whileEntries("raise exception 'no room' using errcode = '53100';", async () => {
      expect((await api.put("home", '{"a":1}')).status).toBe(503);
    });
    expect((await api.put("home", '{"a":2}')).status).toBe(200);
  });
});
