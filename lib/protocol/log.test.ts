import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { onServer } from "@/lib/database/testing/databases";
import { onEmptyStore } from "@/lib/database/testing/empty-store";
import { bearer, openShop } from "@/lib/features/customers/testing/shop";
import { flushRequests, startLoggingRequests } from "@/lib/features/request-log/note";
import { testServer } from "@/lib/http/testing/test-server";
import { resetPerProcess } from "@/lib/protocol/per-process";
import { cleanStore } from "@/lib/setup/cleaning";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { flushLog, log } from "./log";

const send = testServer();
const login = "victim@example.com";
const password = "a secret of the victim";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-log-"));
  resetPerProcess("log");
  vi.stubEnv("LOG_FILE", join(folder, "log"));
  vi.stubEnv("RATE_LIMITS", "off");
});

afterEach(() => {
  resetPerProcess("log");
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const logged = () => readFileSync(join(folder, "log"), "utf8");
const lines = () =>
  logged()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const run = (text: string) => onServer(process.env.DATABASE_URL ?? "", text);

/** Every write to the table fails like this, with an error that quotes the row. */
async function failWrites(table: string, code: string): Promise<void> {
  await run(`create function fail_${table}() returns trigger language plpgsql as
    $$ begin raise exception 'no room for %', coalesce(new, old) using errcode = '${code}', detail = coalesce(new, old)::text; end $$`);
  await run(
    `create trigger fail before insert or update or delete on ${table} for each row execute function fail_${table}()`,
  );
}

const refuseRows = (table: string) =>
  run(`alter table ${table} add constraint refused check (false) not valid`);

function expectNothingPersonal(): void {
  const text = logged();
  for (const secret of [
    "victim",
    "example.com",
    "$argon2",
    password,
    "params",
    "Failing row",
    "Key (",
  ])
    expect(text).not.toContain(secret);
  expect(text).not.toMatch(/\bsv[a-z]_|[0-9a-f]{40}/);
}

async function onFaultyStore(
  work: (shop: Awaited<ReturnType<typeof openShop>>) => Promise<void>,
): Promise<void> {
  const file = join(folder, "log");
  await onEmptyStore(async () => {
    vi.stubEnv("LOG_FILE", file);
    await work(await openShop(send));
  });
}

describe("a failing statement is logged with its code, table and place, without its values", () => {
  const register = async (shop: Awaited<ReturnType<typeof openShop>>) => {
    const headers = { ...shop.headers, ...bearer(await shop.anonymous()) };
    return send("POST /v1/customer/registration", {
      headers,
      body: { login, password, emailAddress: login },
    });
  };

  test("500: a registration that the store rejects", () =>
    onFaultyStore(async (shop) => {
      await refuseRows("customers");
      expect((await register(shop)).status).toBe(500);
      const [line] = lines().filter(({ msg }) => msg === "a request failed");
      expect(line.err).toMatchObject({
        statement: "insert customers",
        cause: { code: "23514", table: "customers", constraint: "refused" },
      });
      expect(line.err.frames.join()).toContain("registration.ts");
      expect(line.err.frames.join()).not.toContain("node_modules");
      expectNothingPersonal();
    }));

  test("500 or 503: a registration while the disk is full", () =>
    onFaultyStore(async (shop) => {
      await failWrites("customers", "53100");
      expect((await register(shop)).status).toBeGreaterThanOrEqual(500);
      expect(logged()).toContain('"53100"');
      expectNothingPersonal();
    }));

  test("500: a sign-in whose session cannot be stored", () =>
    onFaultyStore(async () => {
      const tenantId = await makeTenant();
      await makeUser(tenantId, { login, password, roleIds: ["tenant.admin"] });
      await refuseRows("sessions");
      const body = { login, tenant: tenantId, password };
      expect(
        (
          await send("POST /v1/user/session-login", {
            headers: { "X-Service-Tenant": tenantId },
            body,
          })
        ).status,
      ).toBe(500);
      expect(logged()).toContain('"table":"sessions"');
      expectNothingPersonal();
    }));

  test("an unexpected unique violation", () =>
    onFaultyStore(async () => {
      const tenantId = await makeTenant();
      const { userId } = await makeUser(tenantId, { login });
      const again = makeUser(tenantId, { login, row: { userId } });
      await again.catch((error: unknown) => log().error({ err: error }, "a request failed"));
      expect(lines().at(-1).err.cause).toMatchObject({ code: "23505", table: "users" });
      expectNothingPersonal();
    }));

  test("logged requests that cannot be stored, and a failing cleanup", () =>
    onFaultyStore(async (shop) => {
      startLoggingRequests();
      await failWrites("refused_requests", "53100");
      await send(`GET /v1/user/list?q=${login}`, {
        headers: { ...shop.headers, "User-Agent": login },
      });
      // A request is logged after its response was sent, possibly after its caller has read it.
      await vi.waitFor(
        async () => {
          await flushRequests();
          expect(lines().map(({ msg }) => msg)).toContain("logged requests could not be stored");
        },
        { timeout: 100_000, interval: 50 },
      );
      await register(shop);
      await failWrites("customer_activity", "53100");
      await run("alter table customer_activity disable trigger fail");
      await run(
        `update customer_activity set occurred_at = '2020-01-01' where tenant_id = '${shop.tenant}'`,
      );
      await run("alter table customer_activity enable trigger fail");
      await cleanStore(new Date());
      expect(lines().map(({ msg }) => msg)).toContain("the cleaning was not finished");
      expectNothingPersonal();
    }));
});

describe("other errors", () => {
  test("keep their text, without addresses and secrets", () => {
    log().error(
      {
        err: new Error(
          `no mail to ${login} for svk_${randomBytes(20).toString("hex")}: ECONNREFUSED`,
        ),
      },
      "failed",
    );
    expect(lines()[0].err.message).toBe("no mail to ... for ...: ECONNREFUSED");
  });

  test("of a parser do not quote its input", () => {
    try {
      JSON.parse(`{"login": ${login}`);
    } catch (error) {
      log().error({ err: error }, "failed");
    }
    expect(lines()[0].err).toMatchObject({ type: "SyntaxError" });
    expectNothingPersonal();
  });

  test("that are no errors are not shown", () => {
    log().error({ err: { login, password } }, "failed");
    expectNothingPersonal();
  });
});

test("a repeated error does not fill the disk: ten lines of a kind, then the number of further ones", async () => {
  const error = new Error("the disk is full");
  for (let count = 0; count < 5000; count += 1)
    log().error({ requestId: String(count), err: error }, "a request failed");
  log().error({ err: new TypeError("another") }, "a request failed");
  log().info("still heard");
  await flushLog();
  expect(lines()).toHaveLength(13);
  expect(lines().at(-1)).toMatchObject({
    leftOut: 4990,
    msg: "a request failed (more of the same)",
    level: "error",
  });
  expect(lines().at(-2)).toMatchObject({ msg: "still heard" });
});
