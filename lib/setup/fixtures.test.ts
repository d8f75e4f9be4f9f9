import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { and, count, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { readConsumerToken } from "@/lib/access/consumer-tokens";
import { db } from "@/lib/database/open";
import { roleAssignments, sessions, tenants, users } from "@/lib/database/schema/schema";
import { onEmptyStore } from "@/lib/database/testing/empty-store";
import { failureOf } from "@/lib/database/testing/failing";
import { loginCustomer } from "@/lib/features/customers/login";
import { login } from "@/lib/features/sessions/login";
import { makeTenant } from "@/lib/setup/testing/factories";
import { type Fixtures, makeFixtures } from "./fixtures";

const baseUrl = "http://localhost:3000";
const origin = { requestId: "req-1", address: "127.0.0.1", agent: "test" };

function signIn(world: Fixtures, key: string, where?: "A" | "B") {
  const user = world.users[key];
  if (!user) throw new Error(`There is no ${key} in the fixtures.`);
  const tenant = world.tenants[where ?? user.tenant];
  return login(tenant, { tenant, login: user.login, password: user.password }, origin);
}

const rolesIn = (tenantId: string, userId: string) =>
  db()
    .select({ site: roleAssignments.siteId, role: roleAssignments.roleId })
    .from(roleAssignments)
    .where(and(eq(roleAssignments.tenantId, tenantId), eq(roleAssignments.userId, userId)));

describe("the fixtures", () => {
  test("have tenant, id, login and password of every user, and all but the locked one can sign in", () =>
    onEmptyStore(async () => {
      const world = await makeFixtures(baseUrl);
      expect(world).toMatchObject({
        baseUrl,
        tenants: { A: "fix-a", B: "fix-b" },
        sites: { A1: "a-one", A2: "a-two", B1: "b-one" },
      });
      const keys = ["adm", "um", "um1", "low", "ana", "pim", "care", "dual", "locked", "bAdm"];
      expect(Object.keys(world.users)).toEqual(keys);
      expect(world.users.adm).toMatchObject({
        tenant: "A",
        login: "adm",
        roles: "tenant.admin in A",
      });
      for (const key of keys.filter((one) => one !== "locked"))
        expect(await signIn(world, key)).toEqual({ sessionId: expect.stringMatching(/^svs_/) });
      expect(await failureOf(signIn(world, "locked"))).toMatchObject({ code: "user.locked" });
    }));

  test("have a customer of either tenant, who can sign in at the site, repeatedly", () =>
    onEmptyStore(async () => {
      await makeFixtures(baseUrl);
      const world = await makeFixtures(baseUrl);
      expect(Object.keys(world.customers)).toEqual(["custA1", "custB1"]);
      for (const [key, tenantId] of [
        ["custA1", "fix-a"],
        ["custB1", "fix-b"],
      ] as const) {
        const { site, login: name = "", password = "", id } = world.customers[key] ?? {};
        const shopper = {
          tenantId,
          siteId: world.sites[site ?? ""] ?? "",
          anonymousId: "anon_fixture",
          ...origin,
        };
        const { accessToken } = await loginCustomer(shopper, { login: name, password });
        expect(await readConsumerToken(accessToken)).toMatchObject({ customerId: id, tenantId });
      }
    }));

  test("give each user the roles of the note, at site level only there", () =>
    onEmptyStore(async () => {
      const { users: made } = await makeFixtures(baseUrl);
      expect(await rolesIn("fix-a", made.um1?.id ?? "")).toEqual([
        { site: "a-one", role: "portal.users.mgmt" },
      ]);
      expect(await rolesIn("fix-a", made.pim?.id ?? "")).toEqual([
        { site: "a-one", role: "portal.pim.mgmt" },
      ]);
      expect(await rolesIn("fix-a", made.dual?.id ?? "")).toEqual([
        { site: "", role: "portal.users.mgmt" },
      ]);
      expect(await rolesIn("fix-b", made.dual?.id ?? "")).toEqual([
        { site: "", role: "portal.default" },
      ]);
    }));

  test("let dual sign in to both tenants with the same password", () =>
    onEmptyStore(async () => {
      const world = await makeFixtures(baseUrl);
      const inA = await signIn(world, "dual", "A");
      const inB = await signIn(world, "dual", "B");
      expect(inA.sessionId).not.toBe(inB.sessionId);
      const [row] = await db()
        .select({ home: users.homeTenantId, hash: users.passwordHash })
        .from(users)
        .where(and(eq(users.tenantId, "fix-b"), eq(users.userId, world.users.dual?.id ?? "")));
      expect(row).toEqual({ home: "fix-a", hash: null });
    }));

  test("when created again keep the ids, change every password, end the sessions and undo changes by tests", () =>
    onEmptyStore(async () => {
      const first = await makeFixtures(baseUrl);
      const low = first.users.low?.id ?? "";
      await signIn(first, "low");
      await db()
        .update(users)
        .set({ isLocked: true, state: "deactivated" })
        .where(and(eq(users.tenantId, "fix-a"), eq(users.userId, low)));
      await db()
        .insert(roleAssignments)
        .values({ tenantId: "fix-a", userId: low, siteId: "", roleId: "tenant.admin" });
      const second = await makeFixtures(baseUrl);
      for (const [key, user] of Object.entries(second.users)) {
        expect(user.id).toBe(first.users[key]?.id);
        expect(user.password).not.toBe(first.users[key]?.password);
      }
      const [kept] = await db()
        .select({ sessions: count() })
        .from(sessions)
        .where(and(eq(sessions.tenantId, "fix-a"), eq(sessions.userId, low)));
      expect(kept).toEqual({ sessions: 0 });
      expect(await rolesIn("fix-a", low)).toEqual([{ site: "", role: "portal.default" }]);
      await expect(signIn(second, "low")).resolves.toBeDefined();
      expect(await failureOf(signIn(first, "adm"))).toMatchObject({ code: "auth.login-failed" });
      const [people] = await db()
        .select({ all: count() })
        .from(users)
        .where(eq(users.tenantId, "fix-a"));
      expect(people).toEqual({ all: 9 });
    }));

  test("are rejected in a store with another tenant, and created next to sandboxes", () =>
    onEmptyStore(async () => {
      const tenantId = await makeTenant();
      await expect(makeFixtures(baseUrl)).resolves.toBeDefined();
      await db().update(tenants).set({ kind: "production" }).where(eq(tenants.tenantId, tenantId));
      expect(await failureOf(makeFixtures(baseUrl))).toMatchObject({
        message: expect.stringContaining(tenantId),
      });
    }));

  test("are written to a file that only its owner may read, also over one that others could", () =>
    onEmptyStore(async () => {
      const folder = mkdtempSync(join(tmpdir(), "gatehouse-fixtures-"));
      const out = join(folder, "fixtures.json");
      writeFileSync(out, "{}", { mode: 0o644 });
      try {
        const env = {
          PATH: process.env.PATH,
          DATABASE_URL: process.env.DATABASE_URL,
          SECRET_KEY: process.env.SECRET_KEY,
          NODE_ENV: "production" as const,
        };
        const args = [
          "scripts/run.mjs",
          "fixtures",
          "--out",
          out,
          "--base-url",
          "http://127.0.0.1:4000",
        ];
        const child = spawn(process.execPath, args, {
          env,
          stdio: ["ignore", "ignore", "inherit"],
        });
        expect(await once(child, "exit")).toEqual([0, null]);
        expect(statSync(out).mode & 0o777).toBe(0o600);
        const world: Fixtures = JSON.parse(readFileSync(out, "utf8"));
        expect(world.baseUrl).toBe("http://127.0.0.1:4000");
        await expect(signIn(world, "bAdm")).resolves.toBeDefined();
      } finally {
        rmSync(folder, { recursive: true });
      }
    }));
});
