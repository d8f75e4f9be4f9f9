import { spawn } from "node:child_process";
import { once } from "node:events";
import { and, count, eq, isNotNull, ne } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import {
  auditEvents,
  previewConfigurations,
  roleAssignments,
  sites,
  tenants,
  users,
} from "@/lib/database/schema/schema";
import { onEmptyStore } from "@/lib/database/testing/empty-store";
import { failureOf } from "@/lib/database/testing/failing";
import { login } from "@/lib/features/sessions/login";
import { makeFactor } from "@/lib/features/sessions/second-factors/testing/factors";
import { EmailAddress, Label } from "@/lib/protocol/formats";
import { demoPeople } from "./demo/tenant";
import { firstRun } from "./seed";

const url = "http://localhost:3000";
const origin = { requestId: "req-1", address: "127.0.0.1", agent: "test" };
const asDemo = (work: () => Promise<void>) =>
  onEmptyStore(() => {
    vi.stubEnv("DEMO", "on");
    return work();
  });
const passwordIn = (lines: string[]) => / {2}Password {3}(\S+)/.exec(lines.join("\n"))?.[1] ?? "";
const signIn = (tenant: string, name: string, password: string) =>
  login(tenant, { tenant, login: name, password }, origin);

async function usersOf(tenantId: string): Promise<number> {
  const [row] = await db()
    .select({ total: count() })
    .from(users)
    .where(eq(users.tenantId, tenantId));
  return row?.total ?? 0;
}

describe("the first run with demo data", () => {
  test("creates the tenant demo with two sites, an administrator and 40 users without a usable password", () =>
    asDemo(async () => {
      await firstRun({ url });
      const [tenant] = await db()
        .select({ kind: tenants.kind })
        .from(tenants)
        .where(eq(tenants.tenantId, "demo"));
      expect(tenant).toEqual({ kind: "demo" });
      const found = await db()
        .select({ siteId: sites.siteId })
        .from(sites)
        .where(eq(sites.tenantId, "demo"))
        .orderBy(sites.siteId);
      expect(found.map(({ siteId }) => siteId)).toEqual(["eu-store", "us-store"]);
      expect(await usersOf("demo")).toBe(41);
      const withPassword = await db()
        .select({ login: users.login })
        .from(users)
        .where(and(eq(users.tenantId, "demo"), isNotNull(users.passwordHash)));
      expect(withPassword).toEqual([{ login: "admin" }]);
      const atSites = await db()
        .selectDistinct({ siteId: roleAssignments.siteId })
        .from(roleAssignments)
        .where(and(eq(roleAssignments.tenantId, "demo"), ne(roleAssignments.siteId, "")))
        .orderBy(roleAssignments.siteId);
      expect(atSites.map(({ siteId }) => siteId)).toEqual(["eu-store", "us-store"]);
    }));

  test("gives each site two preview configurations with visible content", () =>
    asDemo(async () => {
      await firstRun({ url });
      const { siteId, previewKey, problems, tenantId } = previewConfigurations;
      const found = await db()
        .select({ siteId, previewKey, problems })
        .from(previewConfigurations)
        .where(eq(tenantId, "demo"));
      expect(found.map((row) => `${row.siteId} ${row.previewKey}`).sort()).toEqual([
        "eu-store home",
        "eu-store winter-campaign",
        "us-store home",
        "us-store winter-campaign",
      ]);
      expect(found.flatMap((row) => row.problems)).toEqual([]);
    }));

  test("prints a password with which the administrator signs in, and which must be changed and expires after 7 days", () =>
    asDemo(async () => {
      const lines = await firstRun({ url });
      expect(lines.join("\n")).toContain(`${url}/sign-in`);
      await expect(signIn("demo", "admin", passwordIn(lines))).resolves.toMatchObject({
        sessionId: expect.stringMatching(/^svs_/),
      });
      const [admin] = await db()
        .select({ mustChange: users.mustChangePassword, until: users.passwordExpiresAt })
        .from(users)
        .where(and(eq(users.tenantId, "demo"), eq(users.loginKey, "admin")));
      expect(admin?.mustChange).toBe(true);
      const days = ((admin?.until?.getTime() ?? 0) - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(6.99);
      expect(days).toBeLessThanOrEqual(7);
    }));

  test("stores the password nowhere: it is neither in the rows nor in the audit trail", () =>
    asDemo(async () => {
      const password = passwordIn(await firstRun({ url }));
      expect(password).toMatch(/^(?:[a-z2-9]{4}-){4}[a-z2-9]{4}$/);
      const kept = [
        await db().select().from(users).where(eq(users.tenantId, "demo")),
        await db().select().from(auditEvents).where(eq(auditEvents.tenantId, "demo")),
      ];
      expect(JSON.stringify(kept)).not.toContain(password);
    }));

  test("writes an audit entry by the system for the tenant, every user and every preview", () =>
    asDemo(async () => {
      await firstRun({ url });
      const entries = await db()
        .select({ actor: auditEvents.actor, action: auditEvents.action })
        .from(auditEvents)
        .where(eq(auditEvents.tenantId, "demo"))
        .orderBy(auditEvents.seq);
      expect(entries.map(({ action }) => action)).toEqual([
        "tenant.created",
        ...Array(41).fill("user.created"),
        ...Array(4).fill("preview.created"),
      ]);
      expect(new Set(entries.map(({ actor }) => actor.type))).toEqual(new Set(["system"]));
    }));

  test("by two processes concurrently happens once, and one of them has the password", () =>
    asDemo(async () => {
      const both = await Promise.all([firstRun({ url }), firstRun({ url })]);
      expect(await usersOf("demo")).toBe(41);
      const passwords = both.map(passwordIn).filter((password) => password !== "");
      expect(passwords).toHaveLength(1);
      await expect(signIn("demo", "admin", passwords[0] ?? "")).resolves.toBeDefined();
    }));

  test("is not repeated: later starts never show the password, and nothing at all once the administrator has signed in", () =>
    asDemo(async () => {
      const password = passwordIn(await firstRun({ url }));
      const second = await firstRun({ url });
      expect(second.join()).not.toContain(password);
      expect(second.join()).toContain("npm run reset-password");
      await signIn("demo", "admin", password);
      expect(await firstRun({ url })).toEqual([]);
      expect(await usersOf("demo")).toBe(41);
    }));
});

describe("the first run on an external store", () => {
  test("creates one system user of the tenant platform, who can sign in, and nothing else", () =>
    onEmptyStore(async () => {
      const password = passwordIn(await firstRun({ url }));
      await expect(signIn("platform", "system", password)).resolves.toBeDefined();
      const people = await db()
        .select({ login: users.login, isSystem: users.isSystem })
        .from(users)
        .where(eq(users.tenantId, "platform"));
      expect(people).toEqual([{ login: "system", isSystem: true }]);
      expect(await usersOf("demo")).toBe(0);
    }));
});

describe("npm run reset-password", () => {
  const run = async (...args: string[]) => {
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: process.env.DATABASE_URL,
      SECRET_KEY: process.env.SECRET_KEY,
      NODE_ENV: "production" as const,
    };
    const child = spawn(process.execPath, ["scripts/run.mjs", "reset-password", ...args], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { out: "", err: "" };
    child.stdout.on("data", (chunk) => {
      output.out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output.err += chunk;
    });
    const [code] = await once(child, "close");
    return { code, ...output };
  };

  test("signs the administrator in with a new password, on the store of a running server; without a second factor, and where others sign in only at a provider", () =>
    asDemo(async () => {
      const old = passwordIn(await firstRun({ url }));
      const isAdmin = and(eq(users.tenantId, "demo"), eq(users.login, "admin"));
      const [admin] = await db().select({ userId: users.userId }).from(users).where(isAdmin);
      await makeFactor("demo", admin?.userId ?? "");
      await db()
        .update(tenants)
        .set({ policy: { passwordSignIn: "emergency-only" } })
        .where(eq(tenants.tenantId, "demo"));
      const { code, out, err } = await run("--reset-second-factors");
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toContain("second factors and recovery codes were removed");
      const password = passwordIn([out]);
      expect(password).not.toBe(old);
      await expect(signIn("demo", "admin", password)).resolves.toBeDefined();
      expect(await failureOf(signIn("demo", "admin", old))).toMatchObject({
        code: "auth.login-failed",
      });
    }));

  test("reports an unknown tenant or login, and exits with 1", () =>
    asDemo(async () => {
      await firstRun({ url });
      expect(await run("--tenant", "nowhere")).toEqual({
        code: 1,
        out: "",
        err: 'There is no tenant "nowhere" in this store.\n',
      });
      expect(await run("--login", "nobody")).toEqual({
        code: 1,
        out: "",
        err: 'The tenant "demo" has nobody with the login "nobody".\n',
      });
    }));
});

describe("the users of the demo", () => {
  test("have logins, names and addresses that the contract accepts, each login once", () => {
    for (const { login, name, mail } of demoPeople) {
      expect(Label.parse(login)).toBe(login);
      expect(Label.parse(name)).toBe(name);
      expect(EmailAddress.safeParse(`${mail}@nordwind.example`).success).toBe(true);
    }
    expect(new Set(demoPeople.map(({ login }) => login.toLowerCase())).size).toBe(40);
  });
});
