import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  test,
  vi,
} from "vitest";
import { closeStore, db } from "@/lib/database/open";
import {
  apiKeys,
  auditEvents,
  idempotentAnswers,
  previewConfigurations,
  tenantQuotas,
  users,
} from "@/lib/database/schema/schema";
import { onTriggers } from "@/lib/database/testing/databases";
import { type FaultyProxy, startFaultyProxy } from "@/lib/database/testing/faulty-proxy";
import { openShop } from "@/lib/features/customers/testing/shop";
import { quotaNames } from "@/lib/features/quotas/values";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
/** LOST_COMMITS asks for more. */
const times = Number(process.env.LOST_COMMITS ?? 25);
let proxy: FaultyProxy;
let tenant: string;
let headers: Record<string, string>;
let userId: string;

beforeAll(async () => {
  await closeStore();
  proxy = await startFaultyProxy(process.env.DATABASE_URL ?? "");
  vi.stubEnv("DATABASE_URL", proxy.url);
});

afterAll(async () => {
  await closeStore();
  await proxy.close();
  vi.unstubAllEnvs();
});

beforeEach(async () => {
  vi.stubEnv("RATE_LIMITS", "off");
  tenant = await makeTenant();
  const many = quotaNames.map((quota) => ({ tenantId: tenant, quota, max: 10_000 }));
  await db().insert(tenantQuotas).values(many);
  ({ userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] }));
  ({ headers } = await makeSession(tenant, userId));
});

afterEach(() => proxy.inflict("pass"));

const ahead = () => new Date(Date.now() + 86_400_000).toISOString();

interface Work {
  operation: (n: number) => Promise<string>;
  body: (n: number) => unknown;
  /** How often the operation was done. */
  done: () => Promise<number>;
  holdsSecret: boolean;
}

const countOf = async (action: string) =>
  db().$count(auditEvents, and(eq(auditEvents.tenantId, tenant), eq(auditEvents.action, action)));

const works: Record<string, Work> = {
  "create key": {
    operation: async () => "POST /v1/user/profile/api-keys",
    body: (n) => ({ name: `key ${n}`, validTo: ahead() }),
    done: () => db().$count(apiKeys, eq(apiKeys.tenantId, tenant)),
    holdsSecret: true,
  },
  rotate: {
    operation: async () => {
      const { apiKeyId } = await makeApiKey(tenant, userId);
      return `POST /v1/user/profile/api-keys/${apiKeyId}/rotate`;
    },
    body: () => ({ overlap: "PT1H" }),
    done: () => countOf("api-key.rotated"),
    holdsSecret: true,
  },
  "create preview": {
    operation: async () => "POST /pim/preview",
    body: (n) => ({ key: `home-${n}`, configuration: { title: "Home" } }),
    done: () => db().$count(previewConfigurations, eq(previewConfigurations.tenantId, tenant)),
    holdsSecret: false,
  },
  "create user": {
    operation: async () => "POST /v1/user/service-users",
    body: (n) => ({ login: `robot-${n}`, name: "Robot", roles: { roleIds: [], sites: {} } }),
    done: () =>
      db().$count(users, and(eq(users.tenantId, tenant), sql`${users.login} like 'robot-%'`)),
    holdsSecret: false,
  },
};

const readied = async (method: string, path: string, body?: unknown) =>
  send(`${method} ${path}`, { headers: { ...headers, "X-Service-Site": "one" }, body });

works["archive preview"] = {
  operation: async (n) => {
    await readied("POST", "/pim/preview", { key: `old-${n}`, configuration: { title: "Old" } });
    return `POST /pim/preview/old-${n}/archive`;
  },
  body: () => undefined,
  done: () => countOf("preview.archived"),
  holdsSecret: false,
};
works["suspend a managed key"] = {
  operation: async () =>
    `POST /v1/user/api-keys/${(await makeApiKey(tenant, userId)).apiKeyId}/suspend`,
  body: () => undefined,
  done: () => countOf("api-key.suspended"),
  holdsSecret: false,
};
works["lock customer"] = {
  operation: async () => {
    const shop = await openShop(send, { tenant });
    return `POST /v1/customers/${(await shop.customer()).id}/lock`;
  },
  body: () => ({ reason: "fraud" }),
  done: () => countOf("customer.locked"),
  holdsSecret: false,
};

const once = (operation: string, body: unknown, key: string) =>
  send(operation, {
    headers: { ...headers, "X-Service-Site": "one", "Idempotency-Key": key },
    body,
  });

const run = (statement: string) => onTriggers(process.env.DATABASE_URL ?? "", statement);

const cases = Object.entries(works);

describe("the response to a COMMIT is lost", () => {
  test.each(cases)(`%s: ${times} of ${times} are answered, and done once`, async (_, work) => {
    for (let n = 0; n < times; n += 1) {
      const key = randomUUID();
      const operation = await work.operation(n);
      const body = work.body(n);
      proxy.inflict("lose-commit");
      const first = await once(operation, body, key);
      proxy.inflict("pass");
      expect([200, 201], first.text).toContain(first.status);
      const again = await once(operation, body, key);
      if (work.holdsSecret) {
        expect([again.status, again.body.code, again.body.reason]).toEqual([
          409,
          "idempotency.secret-not-replayable",
          first.body.apiKeyId,
        ]);
        const own = { "X-Service-Tenant": tenant, "X-Service-API-Key": first.body.apiKey };
        expect((await send("GET /v1/user/session", { headers: own })).status).toBe(200);
      } else {
        expect([again.status, again.text]).toEqual([first.status, first.text]);
        expect(again.headers.get("idempotency-replayed")).toBe("true");
      }
      expect(await work.done()).toBe(n + 1);
    }
  });

  test.each(cases)(
    "%s: if the store stays unavailable the retry reports the finished work",
    async (_, work) => {
      for (let n = 0; n < 3; n += 1) {
        const key = randomUUID();
        const operation = await work.operation(n);
        const body = work.body(n);
        proxy.inflict("vanish-at-commit");
        const first = await once(operation, body, key);
        expect([first.status, first.headers.get("retry-after")], first.text).toEqual([503, "2"]);
        proxy.inflict("pass");
        await vi.waitFor(async () => expect(await work.done()).toBe(n + 1), { timeout: 100_000 });
        const again = await once(operation, body, key);
        expect(again.body, again.text).toMatchObject(
          work.holdsSecret
            ? { code: "idempotency.secret-not-replayable", reason: expect.stringMatching(/^key_/) }
            : {},
        );
        expect(work.holdsSecret ? [409] : [200, 201]).toContain(again.status);
        expect(await work.done()).toBe(n + 1);
      }
    },
  );
});

describe("a transaction that was rolled back", () => {
  test.each(cases)("%s: the retry runs, once", async (_, work) => {
    const key = randomUUID();
    const operation = await work.operation(0);
    await run(
      "create or replace function fail_once() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '57P01'; end $$",
    );
    await run(
      "create trigger fail_once before update on idempotent_answers for each row execute function fail_once()",
    );
    try {
      expect((await once(operation, work.body(0), key)).status).toBe(503);
    } finally {
      await run("drop trigger fail_once on idempotent_answers");
    }
    expect(await work.done()).toBe(0);
    expect([200, 201]).toContain((await once(operation, work.body(0), key)).status);
    expect(await work.done()).toBe(1);
  });

  // On a node of a cluster the other table has another name.
  test.skipIf(inject("testStore").isSharded)(
    "409: a request whose key another one took over keeps nothing of its work",
    async () => {
      const key = randomUUID();
      const rows = eq(idempotentAnswers.tenantId, tenant);
      await run(
        `create or replace function take_over() returns trigger language plpgsql as $$ begin
         update idempotent_answers set attempt = '\\x00' where tenant_id = new.tenant_id; return new; end $$`,
      );
      await run(
        "create trigger take_over after insert on api_keys for each row execute function take_over()",
      );
      try {
        const answer = await once(
          "POST /v1/user/profile/api-keys",
          { name: "lost", validTo: ahead() },
          key,
        );
        expect([answer.status, answer.body.code]).toEqual([409, "idempotency.in-flight"]);
      } finally {
        await run("drop trigger take_over on api_keys");
      }
      expect(await works["create key"]?.done()).toBe(0);
      expect(await db().$count(idempotentAnswers, rows)).toBeLessThanOrEqual(1);
    },
  );
});
