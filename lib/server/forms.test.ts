import { beforeAll, describe, expect, test, vi } from "vitest";
import { portalSessions } from "@/lib/access/portal-cookie";
import { makeHandOffWorld, sealed } from "@/lib/features/api-keys/hand-offs/testing/hand-off-world";
import { log } from "@/lib/protocol/log";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { formsServer, fromPortal, password, typed } from "./testing/forms-server";

type Headers = Record<string, string>;

const { world, send, post, person } = formsServer();
let tenant: string;
beforeAll(() => {
  tenant = world.tenant;
});

/** Asserts that the cookie has a valid session of the tenant. */
async function expectSignedIn(cookie: string, to: string, login: string): Promise<void> {
  expect(cookie).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  const headers = { cookie: cookie.split(";")[0] ?? "", "X-Service-Tenant": to, ...fromPortal };
  const { status, body } = await send("GET /v1/user/session", {
    headers: { ...headers, Accept: "application/json" },
  });
  expect([status, body.user?.login]).toEqual([200, login]);
}

describe("signing in", () => {
  test("303 into the portal with its cookie", async () => {
    const { login } = await person();
    const { status, location, cookie } = await post("/sign-in", { tenant, login, password });
    expect([status, location]).toEqual([303, `/t/${tenant}`]);
    await expectSignedIn(cookie, tenant, login);
  });

  test("303 to the requested page, and to no foreign one", async () => {
    const { login } = await person();
    const fields = { tenant, login, password };
    const to = async (next: string) =>
      (await post(`/sign-in?next=${encodeURIComponent(next)}`, fields)).location;
    expect(await to(`/t/${tenant}/users?q=a`)).toBe(`/t/${tenant}/users?q=a`);
    for (const elsewhere of ["https://evil.example/t/x", "//evil.example", "/docs", "/t\\x"])
      expect(await to(elsewhere)).toBe(`/t/${tenant}`);
  });

  test("a browser stays signed in to other tenants", async () => {
    const { login } = await person();
    const other = await makeTenant();
    await makeUser(other, { login, password, roleIds: ["portal.default"] });
    const first = await post("/sign-in", { tenant, login, password });
    const cookie = first.cookie.split(";")[0] ?? "";
    const second = await post("/sign-in", { tenant: other, login, password }, { cookie });
    expect([...(await portalSessions(second.cookie.split(";")[0] ?? "")).keys()]).toEqual([
      tenant,
      other,
    ]);
  });

  test.each([
    ["a wrong password", { password: typed }],
    ["an unknown login", { login: "nobody-here" }],
    ["what is no tenant", { tenant: "No Tenant" }],
    ["nothing", { tenant: "", login: "", password: "" }],
  ])("the page again for %s, with the typed fields except the password", async (_, given) => {
    const { login } = await person();
    const fields = { tenant, login, password, ...given };
    const { status, cookie, form, method } = await post("/sign-in", fields);
    expect([status, cookie, method]).toEqual([403, "", "GET"]);
    expect(form?.values).toEqual({ tenant: fields.tenant.toLowerCase(), login: fields.login });
    expect(form?.problem).toMatchObject({ status: 401, code: "auth.login-failed" });
    expect(JSON.stringify(form)).not.toContain(typed);
  });

  test.each(["日本", "a\nb", "a\0b", "\u202edemo", "müller"])(
    "a tenant that a header cannot contain is not an internal error: %j",
    async (typed) => {
      const error = vi.spyOn(log(), "error");
      const fields = { tenant: typed, login: "ann", password };
      const outcomes = [await post("/sign-in", fields), await post("/forgot-password", fields)];
      expect(outcomes.map(({ form }) => form?.problem?.code)).toEqual([
        "auth.login-failed",
        "request.header-invalid",
      ]);
      expect(error).not.toHaveBeenCalled();
    },
  );

  test("too many failures show how long to wait", async () => {
    const fields = { tenant, login: "guessed", password: typed };
    let answered = await post("/sign-in", fields);
    while (answered.form?.problem?.code === "auth.login-failed")
      answered = await post("/sign-in", fields);
    expect(answered.form?.problem).toMatchObject({ status: 429, code: "auth.too-many-attempts" });
    expect(answered.form?.problem?.retryAfterSeconds).toBeGreaterThan(0);
  });

  test("a one-time password leads to the page to change it", async () => {
    const { login } = await person({ row: { mustChangePassword: true } });
    const first = await post("/sign-in", { tenant, login, password });
    expect(first.status).toBe(200);
    expect(first.form).toEqual({ values: { tenant, login }, step: "change-password" });
    const cookie = first.cookie.split(";")[0] ?? "";
    const change = (given: Headers, headers: Headers = { cookie }) =>
      post("/sign-in", { step: "change-password", tenant, login, ...given }, headers);
    const short = await change({ current: password, password: "too short" });
    expect(short.form).toMatchObject({ step: "change-password", values: { tenant, login } });
    expect(short.form?.problem?.status).toBe(400);
    const wrong = await change({ current: typed, password: "quite another password" });
    expect(wrong.form?.problem?.status).toBeGreaterThanOrEqual(400);
    const stranger = await change({ current: password, password: "quite another password" }, {});
    expect(stranger.form?.problem?.code).toBe("auth.credentials-missing");
    const done = await change({ current: password, password: "quite another password" });
    expect([done.status, done.location]).toEqual([303, `/t/${tenant}`]);
    const again = { tenant, login, password: "quite another password" };
    expect((await post("/sign-in", again)).location).toBe(`/t/${tenant}`);
  });
});

describe("the other public forms", () => {
  const name = () => `f${Math.random().toString(36).slice(2, 10)}`;

  test("sign-up creates the sandbox and signs in", async () => {
    const id = name();
    const fields = { tenant: id, site: "eu", name: "Ada", emailAddress: "ada@example.com" };
    const { status, location, cookie } = await post("/sign-up", {
      ...fields,
      login: "ada",
      password,
    });
    expect([status, location]).toEqual([303, `/t/${id}`]);
    await expectSignedIn(cookie, id, "ada");
  });

  test("sign-up shows the problem and keeps the typed fields", async () => {
    const fields = {
      tenant,
      site: "eu",
      name: "Ada",
      emailAddress: "ada@example.com",
      login: "ada",
    };
    const { status, form } = await post("/sign-up", { ...fields, password });
    expect([status, form?.problem?.code]).toEqual([409, "tenant.id-taken"]);
    expect(form?.values).toEqual(fields);
    const short = await post("/sign-up", { ...fields, tenant: name(), password: "short" });
    expect(short.form?.problem).toMatchObject({ status: 400, reason: "/password" });
  });

  test("a reset link is requested", async () => {
    const { status, form } = await post("/forgot-password", { tenant, login: " nobody " });
    expect([status, form]).toEqual([
      200,
      { values: { tenant, login: "nobody" }, step: "requested" },
    ]);
  });

  async function invited() {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { headers } = await makeSession(tenant, userId);
    const roles = { roleIds: ["portal.default"], sites: {} };
    const body = { login: name(), name: "New", emailAddress: "new@example.com", roles };
    const { body: made } = await send("POST /v1/user/invitations", { headers, body });
    return { login: body.login, token: made.token as string, headers };
  }

  test.each([
    ["whole", (token: string) => `https://portal.example/invite/x#token=${token}`],
    ["by its fragment", (token: string) => `#token=${token}`],
    ["by its token", (token: string) => ` ${token} `],
  ])("an invitation is accepted whose link is pasted %s", async (_, linkOf) => {
    const { login, token } = await invited();
    const path = `/invite/${tenant}`;
    const link = linkOf(token);
    const short = await post(path, { link, password: "short" });
    expect(short.form).toMatchObject({
      values: { link: link.trim() },
      problem: { status: 400, reason: "/password" },
    });
    const { status, location, cookie } = await post(path, { link, password });
    expect([status, location]).toEqual([303, `/t/${tenant}`]);
    await expectSignedIn(cookie, tenant, login);
    expect((await post(path, { link, password })).form?.problem?.status).toBe(401);
  });

  test("a password is set by a link, which leads to the sign-in page", async () => {
    const { headers } = await invited();
    const { userId } = await person();
    const { body } = await send(`POST /v1/user/${userId}/password-reset`, { headers });
    const fields = { link: `#token=${body.token}`, password: "quite another password" };
    const { status, location } = await post(`/reset-password/${tenant}`, fields);
    expect([status, location]).toEqual([303, `/sign-in?tenant=${tenant}`]);
  });

  test("a hand-off can be opened once, and not by a link without its key", async () => {
    const world = await makeHandOffWorld(send);
    const token = await world.token();
    const path = `/hand-off/${world.tenant}`;
    const incomplete = await post(path, { link: `#token=${token}` });
    expect(incomplete.form?.problem).toMatchObject({ status: 400, reason: "/link" });
    const link = `https://portal.example${path}#token=${token}&key=${"k".repeat(43)}`;
    const { status, form } = await post(path, { link });
    expect([status, form?.step, form?.opened?.sealed]).toEqual([200, "opened", sealed]);
    const second = await post(path, { link });
    expect([second.status, second.form?.problem?.code]).toEqual([
      404,
      "api-key.hand-off-not-found",
    ]);
  });
});

describe("a request that Next would handle as a Server Action does not reach it", () => {
  const raw = "{}";
  const json = { "Content-Type": "application/json" };
  const parts = { "Content-Type": "multipart/form-data; boundary=x" };
  const action = { "Next-Action": "x", "Content-Type": "application/x-www-form-urlencoded" };

  test.each<[string, Headers]>([
    ["POST /t/acme", json],
    ["POST /sign-in", { ...json, "Next-Action": "x" }],
    ["PUT /t/acme", json],
    ["DELETE /sign-in", {}],
  ])("405: %s", async (operation, headers) => {
    const sent = operation.startsWith("DELETE") ? {} : { raw };
    const { status, body, headers: answered } = await send(operation, { headers, ...sent });
    expect([status, body.code]).toEqual([405, "request.method-not-allowed"]);
    expect(answered.get("allow")).toBe("GET, HEAD");
  });

  test("415: a multipart or named Server Action at next-auth's paths; its own forms still work", async () => {
    for (const headers of [parts, action])
      expect((await send("POST /api/auth/", { headers, raw })).body.code).toBe(
        "request.unsupported-media-type",
      );
    const { "Next-Action": _, ...form } = action;
    expect((await send("POST /api/auth/signin", { headers: form, raw })).status).toBe(200);
  });
});
