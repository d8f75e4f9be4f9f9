import { beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
let tenant: string;
let admin: Headers;

beforeAll(async () => {
  tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  admin = (await makeSession(tenant, userId)).headers;
});

const create = (body: unknown, headers = admin) => send("POST /v1/tenant/sites", { headers, body });
const change = (id: string, body: unknown) =>
  send(`PATCH /v1/tenant/sites/${id}`, { headers: admin, body });
const remove = (id: string) => send(`DELETE /v1/tenant/sites/${id}`, { headers: admin });

describe("200, 201 and 204", () => {
  test("a site is created, shown, changed, used at once, and deleted", async () => {
    const made = await create({
      id: "de",
      name: "Deutschland",
      locales: ["de-DE"],
      currency: "EUR",
    });
    expect([made.status, made.headers.get("location")]).toEqual([201, "/v1/tenant/sites/de"]);
    expect(made.body).toMatchObject({
      id: "de",
      name: "Deutschland",
      allowedOrigins: [],
      locales: ["de-DE"],
      currency: "EUR",
    });
    const changed = await change("de", {
      allowedOrigins: ["https://shop.example"],
      currency: null,
    });
    expect(changed.body).toEqual({
      ...made.body,
      allowedOrigins: ["https://shop.example"],
      currency: null,
    });
    expect((await send("GET /v1/tenant/sites/de", { headers: admin })).body).toEqual(changed.body);
    const atSite = { ...admin, "X-Service-Site": "de" };
    expect((await send("GET /v1/user/session", { headers: atSite })).status).toBe(200);
    expect((await remove("de")).status).toBe(204);
    expect((await send("GET /v1/user/session", { headers: atSite })).body.code).toBe(
      "site.unknown",
    );
    expect((await send("GET /v1/tenant/sites/de", { headers: admin })).body.code).toBe(
      "site.not-found",
    );
  });

  test("a page of an allowed origin may call the site as soon as the origin is added", async () => {
    const { body } = await create({ id: "cors", name: "CORS" });
    const headers = {
      "X-Service-Tenant": tenant,
      "X-Service-Site": body.id,
      Origin: "https://shop.example",
    };
    const call = () => send("POST /v1/customer/login/anonymous-token", { headers });
    expect((await call()).body.code).toBe("origin.not-allowed");
    await change("cors", { allowedOrigins: ["https://shop.example"] });
    expect((await call()).status).toBe(200);
  });

  test("paging, newest first, returns each site once; a key with tenant.read may list them", async () => {
    const own = await makeTenant({ siteIds: ["a", "b", "c"] });
    const { userId } = await makeUser(own, { roleIds: ["portal.configurations.mgmt"] });
    const { headers } = await makeApiKey(own, userId);
    const seen: string[] = [];
    for (let next: string | undefined = "/v1/tenant/sites?limit=1"; next; ) {
      const page: Awaited<ReturnType<typeof send>> = await send(`GET ${next}`, { headers });
      seen.push(...page.body.map((site: { id: string }) => site.id));
      next = /^<(.+)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(seen).toEqual(["c", "b", "a"]);
  });
});

test.each([
  [{ id: "A" }, "/id"],
  [{ allowedOrigins: ["https://shop.example/"] }, "/allowedOrigins/0"],
  [{ allowedOrigins: ["shop.example"] }, "/allowedOrigins/0"],
  [{ allowedOrigins: ["https://a.example", "https://a.example"] }, "/allowedOrigins"],
  [{ locales: ["e"], currency: "EURO" }, "/locales/0,/currency"],
  [{ currency: "XYZ" }, "/currency"],
  [{ tenant: "x" }, "/tenant"],
])("400: %j", async (part, reason) => {
  const answer = await create({ id: "new", name: "New", ...part });
  expect([answer.status, answer.body.reason]).toEqual([400, reason]);
});

test("403: tenant.read allows reading but no changes", async () => {
  const { userId } = await makeUser(tenant, { roleIds: ["portal.configurations.mgmt"] });
  const { headers } = await makeSession(tenant, userId);
  expect((await send("GET /v1/tenant/sites/one", { headers })).status).toBe(200);
  const answer = await create({ id: "x", name: "x" }, headers);
  expect([answer.status, answer.body.reason]).toEqual([403, "tenant.manage"]);
});

test("404: a site of another tenant", async () => {
  const other = await makeTenant({ siteIds: ["theirs"] });
  for (const answer of [await change("theirs", { name: "mine" }), await remove("theirs")])
    expect([answer.status, answer.body.code]).toEqual([404, "site.not-found"]);
  const { userId } = await makeUser(other, { roleIds: ["tenant.admin"] });
  const { headers } = await makeSession(other, userId);
  expect((await send("GET /v1/tenant/sites/theirs", { headers })).body.name).toBe("theirs");
});

describe("409", () => {
  test("an id in use", async () => {
    expect((await create({ id: "one", name: "Again" })).body).toMatchObject({
      code: "site.id-taken",
      reason: "/id",
    });
  });

  test("a name in use, in any case; of ten concurrent requests one gets it", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        create({ id: `same-${n}`, name: n % 2 ? "Été" : " ÉTÉ " }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: "site.name-taken", reason: "/name" });
    const renamed = await send("PATCH /v1/tenant/sites/one", {
      headers: admin,
      body: { name: "été" },
    });
    expect([renamed.status, renamed.body.code]).toEqual([409, "site.name-taken"]);
    const own = answers.find(({ status }) => status === 201)?.body.id;
    expect(
      (await send(`PATCH /v1/tenant/sites/${own}`, { headers: admin, body: { name: "été" } }))
        .status,
    ).toBe(200);
  });

  test("a site where a user has a role, or that has a preview configuration, is not deleted", async () => {
    await makeUser(tenant, { sites: { two: ["portal.pim.mgmt"] } });
    const held = await remove("two");
    expect([held.status, held.body.code, held.body.reason]).toEqual([
      409,
      "site.not-empty",
      "roles",
    ]);
    await create({ id: "full", name: "Full" });
    const headers = { ...admin, "X-Service-Site": "full" };
    const preview = await send("POST /pim/preview", {
      headers,
      body: { key: "home", configuration: {} },
    });
    expect(preview.status).toBe(201);
    const full = await remove("full");
    expect([full.status, full.body.code, full.body.reason]).toEqual([
      409,
      "site.not-empty",
      "previews",
    ]);
    expect((await send("GET /v1/tenant/sites/full", { headers: admin })).status).toBe(200);
  });
});
