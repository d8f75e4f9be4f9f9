import { randomBytes } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, users } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeTenant } from "@/lib/setup/testing/factories";

const send = testServer();
const password = "four words in a row";

function form(change: Record<string, unknown> = {}) {
  const tenant = `t-${randomBytes(6).toString("hex")}`;
  return {
    tenant,
    site: "shop",
    login: "ada",
    name: "Ada Example",
    emailAddress: "ada@example.com",
    password,
    ...change,
  };
}

/** The limit is 5 an hour: enabled only in the test about it, and never switched during a request. */
beforeEach(() => {
  vi.stubEnv("RATE_LIMITS", "off");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const signUp = (body: unknown) => send("POST /v1/signup", { body });

describe("403", () => {
  test.each(["off", undefined])(
    "sign-up is closed with an external database: SIGN_UP is %s",
    async (setting) => {
      vi.stubEnv("SIGN_UP", setting);
      expect(await signUp(form())).toMatchObject({
        status: 403,
        body: { code: "signup.closed", reason: "SIGN_UP" },
      });
      expect(await signUp({ nothing: true })).toMatchObject({ status: 403 });
    },
  );
});

describe("201", () => {
  test("one call creates a sandbox with its site and an administrator who can sign in with the password at once", async () => {
    const given = form();
    const made = await signUp(given);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      tenant: given.tenant,
      site: "shop",
      user: { login: "ada", tenant: given.tenant, lock: false },
    });
    expect(made.text).not.toContain(password);
    const tenantHeader = { "X-Service-Tenant": given.tenant };
    const login = await send("POST /v1/user/session-login", {
      headers: tenantHeader,
      body: { login: "ada", tenant: given.tenant, password },
    });
    expect(login.status).toBe(200);
    const headers = { ...tenantHeader, "X-Service-Session-Id": login.body.sessionId };
    const [tenant, sites, list] = await Promise.all([
      send("GET /v1/tenant", { headers }),
      send("GET /v1/tenant/sites", { headers }),
      send("GET /v1/user/list", { headers }),
    ]);
    expect(tenant.body).toMatchObject({ id: given.tenant, kind: "sandbox" });
    expect(sites.body.map((site: { id: string }) => site.id)).toEqual(["shop"]);
    expect(list.body).toEqual([made.body.user]);
  });

  test("creations are in the tenant's audit trail, with the address of the request and without the password", async () => {
    const { tenant } = (await signUp(form())).body;
    const rows = await db()
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.tenantId, tenant))
      .orderBy(asc(auditEvents.seq));
    expect(rows.map(({ action, actor, address }) => [action, actor.id, address])).toEqual([
      ["tenant.created", "sign-up", "127.0.0.1"],
      ["user.created", "sign-up", "127.0.0.1"],
    ]);
    expect(JSON.stringify(rows)).not.toContain(password);
  });
});

test("201: any password that is long enough and hard to guess, without composition rules", async () => {
  for (const plain of [
    "four words in a row",
    "48201937462819304756",
    "パスワードは長いほうがいいですね",
  ])
    expect((await signUp(form({ password: plain }))).status).toBe(201);
});

describe("400", () => {
  test.each([
    ["a short password", { password: "too short" }, "/password", "password.unsuitable"],
    ["a common password", { password: "passwordpassword" }, "/password", "password.unsuitable"],
    ["one character repeated", { password: "x".repeat(15) }, "/password", "password.unsuitable"],
    [
      "control characters",
      { password: "four words\tin a row" },
      "/password",
      "password.unsuitable",
    ],
    ["a tenant that is no slug", { tenant: "No Slug" }, "/tenant", "request.validation-failed"],
    ["a site that is no slug", { site: "-a" }, "/site", "request.validation-failed"],
    [
      "an address that is none",
      { emailAddress: "ada" },
      "/emailAddress",
      "request.validation-failed",
    ],
    ["an unknown member", { kind: "production" }, "/kind", "request.validation-failed"],
  ])("%s", async (_, change, reason, code) => {
    const answer = await signUp(form(change));
    expect([answer.status, answer.body.reason, answer.body.code]).toEqual([400, reason, code]);
  });
});

describe("409", () => {
  test("an existing tenant, and ids reserved for the service", async () => {
    for (const tenant of [await makeTenant(), "platform", "demo", "fix-mine"]) {
      const answer = await signUp(form({ tenant }));
      expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
        409,
        "tenant.id-taken",
        "/tenant",
      ]);
      expect(answer.headers.get("location")).toBeNull();
    }
  });

  test("of ten concurrent requests for one id exactly one creates all of it, and the others leave nothing", async () => {
    const { tenant } = form();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => signUp(form({ tenant, login: `user-${n}` }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const people = await db()
      .select({ login: users.login })
      .from(users)
      .where(eq(users.tenantId, tenant));
    expect(people).toEqual([
      { login: answers.find(({ status }) => status === 201)?.body.user.login },
    ]);
  });
});

test("429: the sixth within an hour from one address", async () => {
  vi.stubEnv("RATE_LIMITS", "on");
  const answers = [];
  for (let n = 0; n < 6; n += 1) answers.push(await signUp(form({ password: "short" })));
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429]);
  expect(answers[5]?.body).toMatchObject({ code: "rate-limit.exceeded", reason: "signup" });
  expect(Number(answers[5]?.headers.get("retry-after"))).toBeGreaterThan(3000);
});
