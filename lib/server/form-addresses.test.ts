import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { refusedRequests } from "@/lib/database/schema/schema";
import { postedFormHeader } from "@/lib/features/portal/values";
import { flushRequests } from "@/lib/features/request-log/note";
import { log } from "@/lib/protocol/log";
import { makeSession, makeUser } from "@/lib/setup/testing/factories";
import { formsServer, password, typed } from "./testing/forms-server";

const { world, send, post, person } = formsServer();

describe("what is rejected", () => {
  test("403 for a form on a foreign page, which signs nobody in", async () => {
    const { login } = await person();
    const fields = { tenant: world.tenant, login, password };
    for (const foreign of [
      { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Fetch-Site": "none", Origin: "null" },
    ]) {
      const { status, cookie, text } = await post("/sign-in", fields, foreign);
      expect([status, cookie]).toEqual([403, ""]);
      expect(text).toContain("came from another site");
    }
  });

  test("413 for a form of more than 16 KiB", async () => {
    expect((await post("/sign-in", { password: "x".repeat(20_000) })).status).toBe(413);
  });

  test.each(["/", "/docs", "/t/acme/audit?action=a", "/invite/No%20Tenant", "/sign-in/more"])(
    "a form on %s leads to the page itself",
    async (path) => {
      const { status, location, cookie } = await post(path, { q: typed });
      expect([status, location, cookie]).toEqual([303, path, ""]);
    },
  );

  test("a request from outside cannot set the outcome of a page's form", async () => {
    const forged = encodeURIComponent(JSON.stringify({ values: {}, step: "opened" }));
    const response = await fetch(`${world.url}/sign-in`, {
      headers: { Accept: "text/html", [postedFormHeader]: forged },
    });
    expect((await response.json()).form).toBeNull();
  });
});

describe("an address with a secret", () => {
  test.each([
    [`/sign-in?tenant=demo&login=admin&password=${typed}`, "/sign-in?tenant=demo"],
    [`/sign-in?PassWord=${typed}&next=%2Ft%2Fdemo`, "/sign-in?next=%2Ft%2Fdemo"],
    [`/sign-up?%70assword=${typed}&login=x`, "/sign-up"],
    [`/invite/acme?token=${typed}`, "/invite/acme"],
    [`/?apiKey=${typed}`, "/"],
    [`/docs?api_key=${typed}`, "/docs"],
    [`/t/acme/metrics?range=7d&apiKey=svk_${typed}`, "/t/acme/metrics"],
    [`/nowhere?newPassword=${typed}`, "/nowhere"],
  ])("303 from %s", async (path, clean) => {
    const response = await fetch(`${world.url}${path}`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([303, clean]);
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test.each(["/sign-in?tenant=demo&next=%2Ft", "/t/acme/metrics?apiKey=key_01h4,key_01h5"])(
    "%s has none",
    async (path) => {
      const response = await fetch(`${world.url}${path}`, { redirect: "manual" });
      expect((await response.json()).url).toBe(path);
    },
  );

  test("is never logged, nor are the fields of a form", async () => {
    log().level = "trace";
    const said = (["trace", "debug", "info", "warn", "error"] as const).map((level) =>
      vi.spyOn(log(), level),
    );
    const { tenant } = world;
    const { login } = await person();
    await fetch(`${world.url}/sign-in?password=${typed}`);
    await post("/sign-in", { tenant, login, password: typed });
    await post(`/sign-in?password=${typed}`, { tenant, login, password: typed });
    const headers = { "X-Service-Tenant": tenant };
    for (const name of ["password", "token", "apiKey"])
      expect((await send(`GET /v1/user/list?${name}=${typed}`, { headers })).status).toBe(401);
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const admin = await makeSession(tenant, userId);
    for (const name of ["password", "token", "apiKey"]) {
      const operation = `GET /v1/user/list?${name}=${typed}`;
      const { status, body, text } = await send(operation, { headers: admin.headers });
      expect([status, body.reason]).toEqual([400, `?${name}`]);
      expect(text).not.toContain(typed);
    }
    await flushRequests();
    const rows = await db()
      .select()
      .from(refusedRequests)
      .where(eq(refusedRequests.tenantId, tenant));
    expect(rows.some((row) => row.status === 400)).toBe(true);
    const everything = JSON.stringify([rows, said.map(({ mock }) => mock.calls)]);
    expect(everything).toContain("/v1/user/session-login");
    expect(everything).not.toContain(typed);
  });
});
