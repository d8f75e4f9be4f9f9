import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { users } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const operation = "GET /v1/user/list";
let tenant: string;
let admin: Record<string, string>;

beforeAll(async () => {
  tenant = await makeTenant();
  const { userId } = await makeUser(tenant, {
    login: "admin",
    name: "Zoë Admin",
    roleIds: ["tenant.admin"],
  });
  await makeUser(tenant, { login: "Bea", name: "Bea", sites: { one: ["portal.pim.mgmt"] } });
  await makeUser(tenant, {
    login: "carl",
    name: "Carl",
    roleIds: ["portal.default"],
    sites: { two: ["portal.pim.mgmt"] },
    row: { isLocked: true },
  });
  admin = (await makeApiKey(tenant, userId)).headers;
  const other = await makeTenant();
  await makeUser(other, { login: "foreign", sites: { one: ["tenant.admin"] } });
});

const list = (query = "", headers = admin) => send(`${operation}${query}`, { headers });
const logins = (body: { login: string }[]) => body.map((user) => user.login);

describe("200", () => {
  test("the complete list, sorted by login, each with exactly the nine fields", async () => {
    const { status, body } = await list();
    expect([status, logins(body)]).toEqual([200, ["Bea", "admin", "carl"]]);
    for (const user of body) {
      expect(Object.keys(user).sort()).toEqual(
        [
          "emailAddress",
          "id",
          "lock",
          "login",
          "name",
          "registrationDate",
          "system",
          "tenant",
          "userRoles",
        ].sort(),
      );
    }
    expect(body[2]).toMatchObject({
      lock: true,
      system: false,
      tenant,
      userRoles: {
        [tenant]: { roleIds: ["portal.default"], sites: { two: { roleIds: ["portal.pim.mgmt"] } } },
      },
    });
  });

  test("fields adds the named fields", async () => {
    const { body } = await list("?fields=+lastLoginAt,state");
    expect(body[0]).toMatchObject({ lastLoginAt: null, state: "active" });
  });

  test.each([
    ["?q=zoë", ["admin"]],
    ["?q=%25", []],
    ["?role=portal.pim.mgmt", ["Bea", "carl"]],
    ["?site=one", ["Bea"]],
    ["?site=two&role=portal.default", []],
    ["?lock=true", ["carl"]],
    ["?state=active&lock=false", ["Bea", "admin"]],
    ["?state=invited", []],
    ["?lock=false&sort=-login", ["admin", "Bea"]],
    ["?sort=name", ["Bea", "carl", "admin"]],
  ])("%s", async (query, expected) => {
    expect(logins((await list(query)).body)).toEqual(expected);
  });

  test.each(["login", "-login", "name", "-registrationDate"])(
    "paging by %s returns each user once, and the last page has no next",
    async (sort) => {
      const seen: string[] = [];
      let next: string | undefined = `/v1/user/list?limit=1&sort=${sort}`;
      while (next) {
        const page: Awaited<ReturnType<typeof send>> = await send(`GET ${next}`, {
          headers: admin,
        });
        expect(page.body).toHaveLength(1);
        seen.push(...logins(page.body));
        next = /^<(.+)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1];
      }
      expect(seen).toEqual(logins((await list(`?sort=${sort}`)).body));
    },
  );

  test("by match: the exact login first, then logins that start with the text, then the others, across pages", async () => {
    const crowd = await makeTenant();
    const { userId } = await makeUser(crowd, { login: "zum", roleIds: ["tenant.admin"] });
    const { headers } = await makeApiKey(crowd, userId);
    for (const login of ["a-um", "album", "um-b", "um", "yum", "Umbra"])
      await makeUser(crowd, { login, name: "Person", roleIds: ["portal.default"] });
    const first = await list("?q=UM&sort=match&limit=3", headers);
    expect([first.status, logins(first.body)]).toEqual([200, ["um", "Umbra", "um-b"]]);
    const next = /cursor=([^&>]+)/.exec(first.headers.get("link") ?? "")?.[1];
    const rest = await list(`?q=UM&sort=match&limit=4&cursor=${next}`, headers);
    expect(logins(rest.body)).toEqual(["a-um", "album", "yum", "zum"]);
    expect(logins((await list("?sort=match", headers)).body)).toHaveLength(7);
  });

  test("a list longer than one chunk of the stream has each user once", async () => {
    const big = await makeTenant();
    const { userId } = await makeUser(big, { login: "admin", roleIds: ["tenant.admin"] });
    const { headers } = await makeApiKey(big, userId);
    const [template] = await db().select().from(users).where(eq(users.tenantId, big));
    if (!template) throw new Error("The administrator is missing.");
    const many = Array.from({ length: 2001 }, (_, n) => ({
      ...template,
      userId: `user_${n}`,
      login: `u${n}`,
      loginKey: `u${n}`,
    }));
    await db().insert(users).values(many);
    const { body } = await list("", headers);
    expect(new Set(logins(body)).size).toBe(2002);
    expect(logins(body)).toEqual([...logins(body)].sort());
  });

  test("HEAD responds like GET without a body", async () => {
    const head = await send("HEAD /v1/user/list", { headers: admin });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  test("a session and a management bearer see the same list", async () => {
    const { userId } = await makeUser(tenant, { login: "um", roleIds: ["portal.users.mgmt"] });
    const session = await makeSession(tenant, userId);
    const token = await send("POST /v1/user/portal-token", { headers: session.headers });
    const bearer = {
      "X-Service-Tenant": tenant,
      Authorization: `Bearer ${token.body.accessToken}`,
    };
    expect(token.body).toMatchObject({ tokenType: "Bearer", expiresIn: 900 });
    const [byKey, bySession, byBearer] = await Promise.all([
      list(),
      list("", session.headers),
      list("", bearer),
    ]);
    expect(bySession.body).toEqual(byKey.body);
    expect(byBearer.body).toEqual(byKey.body);
    await send("DELETE /v1/user/session", { headers: session.headers });
    expect((await list("", bearer)).status).toBe(401);
  });
});

describe("a role at one site", () => {
  test("sees only that site's users and their roles there, and nothing without naming the site", async () => {
    const { userId } = await makeUser(tenant, {
      login: "um-two",
      sites: { two: ["portal.users.mgmt"] },
    });
    const { headers } = await makeApiKey(tenant, userId);
    const atSite = await list("", { ...headers, "X-Service-Site": "two" });
    expect(logins(atSite.body)).toEqual(["carl", "um-two"]);
    expect(atSite.body[0].userRoles).toEqual({
      [tenant]: { roleIds: [], sites: { two: { roleIds: ["portal.pim.mgmt"] } } },
    });
    for (const site of [{}, { "X-Service-Site": "one" }]) {
      const refused = await list("", { ...headers, ...site });
      expect([refused.status, refused.body.reason]).toEqual([403, "user.read"]);
    }
    const carl = (await list("?q=carl")).body[0].id;
    const bea = (await list("?q=bea")).body[0].id;
    const get = (id: string) =>
      send(`GET /v1/user/${id}`, { headers: { ...headers, "X-Service-Site": "two" } });
    expect([(await get(carl)).status, (await get(bea)).status]).toEqual([200, 404]);
  });
});

describe("400", () => {
  test("an unknown site, after the credential", async () => {
    expect((await list("", { ...admin, "X-Service-Site": "nowhere" })).body).toMatchObject({
      code: "site.unknown",
      reason: "X-Service-Site",
    });
    expect(
      (await list("", { "X-Service-Tenant": tenant, "X-Service-Site": "nowhere" })).status,
    ).toBe(401);
  });

  test("two kinds of credential", async () => {
    const answer = await list("", { ...admin, "X-Service-Session-Id": "svs_x" });
    expect(answer.body.code).toBe("auth.ambiguous-credentials");
  });

  test.each([
    ["?limit=0", "?limit"],
    ["?limit=201", "?limit"],
    ["?limit=1&cursor=x", "?cursor"],
    ["?role=king", "?role"],
    ["?sort=shoe", "?sort"],
    ["?lock=maybe", "?lock"],
    ["?state=locked", "?state"],
    ["?nonsense=1", "?nonsense"],
    ["?q=a&q=b", "?q"],
    ["?fields=password", "?fields"],
  ])("%s", async (query, reason) => {
    const answer = await list(query);
    expect([answer.status, answer.body.reason]).toEqual([400, reason]);
  });

  test("problem+json lists every problem", async () => {
    const answer = await list("?limit=0&nonsense=1", {
      ...admin,
      Accept: "application/problem+json",
    });
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.body).toMatchObject({
      status: 400,
      title: "ValidationError",
      code: "request.validation-failed",
    });
    expect(answer.body.errors).toHaveLength(2);
  });
});

test("the browser's cookie is ignored next to a credential in a header", async () => {
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { headers } = await makeSession(tenant, userId);
  const answer = await list("?limit=1", { ...headers, Cookie: "next-auth.session-token=forged" });
  expect(answer.status).toBe(200);
});
