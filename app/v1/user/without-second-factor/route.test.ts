import { expect, test } from "vitest";
import { makeFactor } from "@/lib/features/sessions/second-factors/testing/factors";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSignedInUser, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();

test("lists active users of the home tenant without a second factor by login, page by page; no programs and no guests", async () => {
  const tenant = await makeTenant();
  const { headers } = await makeSignedInUser(tenant, { login: "boss", roleIds: ["tenant.admin"] });
  await makeUser(tenant, { login: "Ann" });
  await makeUser(tenant, { login: "gone", row: { state: "deactivated" } });
  await makeUser(tenant, { login: "robot", row: { kind: "service" } });
  await makeUser(tenant, { login: "guest", row: { homeTenantId: await makeTenant() } });
  const { userId } = await makeUser(tenant, { login: "safe" });
  await makeFactor(tenant, userId);
  const first = await send("GET /v1/user/without-second-factor?limit=1", { headers });
  expect(first.body).toMatchObject([{ login: "Ann", isAdministrator: false }]);
  const next = /<([^>]+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  const { pathname, search } = new URL(next, "http://any");
  const second = await send(`GET ${pathname}${search}`, { headers });
  expect(second.body).toMatchObject([{ login: "boss", isAdministrator: true }]);
  expect(second.headers.get("link")).toBeNull();
});

test("a tenant.admin at only a site counts as an administrator, as in the policy", async () => {
  const tenant = await makeTenant({ siteIds: ["one"] });
  const { headers } = await makeSignedInUser(tenant, { login: "boss", roleIds: ["tenant.admin"] });
  await makeUser(tenant, { login: "local", sites: { one: ["tenant.admin"] } });
  const { body } = await send("GET /v1/user/without-second-factor", { headers });
  expect(body).toMatchObject([
    { isAdministrator: true },
    { login: "local", isAdministrator: true },
  ]);
});

test("the policy stores who needs one and since when; without it no user needs one", async () => {
  const tenant = await makeTenant();
  const { headers } = await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });
  const put = async (body: object) =>
    (await send("PUT /v1/tenant/security-policy", { headers, body })).body;
  const asked = { secondFactor: "administrators", secondFactorFrom: "2027-02-01" };
  expect(await put(asked)).toMatchObject(asked);
  const off = await put({ secondFactor: "off", secondFactorFrom: "2027-02-01" });
  expect([off.secondFactor, off.secondFactorFrom]).toEqual(["off", undefined]);
  expect((await put({ secondFactorFrom: "tomorrow" })).reason).toBe("/secondFactorFrom");
  expect((await put({})).signIn).toEqual({ password: "everybody", passkeys: "on" });
});
