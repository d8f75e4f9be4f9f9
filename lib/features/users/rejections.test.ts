import { beforeAll, expect, test } from "vitest";
import { authenticate } from "@/lib/access/authenticate";
import { testServer } from "@/lib/http/testing/test-server";
import {
  makeSignedInUser,
  makeTenant,
  makeUser,
  type NewUser,
} from "@/lib/setup/testing/factories";
import { findRejections } from "./account-access";
import { memberElsewhere } from "./testing/erasure";

const send = testServer();
type Headers = Record<string, string>;
let tenant: string;
let callers: Record<string, Headers>;
let targets: Record<string, string>;

const people: Record<string, NewUser> = {
  "an administrator": { roleIds: ["tenant.admin"] },
  "a manager of users": { roleIds: ["portal.users.mgmt"] },
  "a manager of customers": { roleIds: ["portal.customers.mgmt"] },
  "nobody special": { roleIds: ["portal.default"] },
  "a user of a site": { sites: { one: ["portal.default"] } },
  "a user of two sites": { sites: { one: ["portal.default"], two: ["portal.pim.mgmt"] } },
};

beforeAll(async () => {
  tenant = await makeTenant({ siteIds: ["one", "two"] });
  const siteManager = await makeSignedInUser(tenant, { sites: { one: ["portal.users.mgmt"] } });
  callers = {
    admin: (await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] })).headers,
    manager: (await makeSignedInUser(tenant, { roleIds: ["portal.users.mgmt"] })).headers,
    siteManager: { ...siteManager.headers, "X-Service-Site": "one" },
  };
  targets = {};
  for (const [name, given] of Object.entries(people))
    targets[name] = (await makeUser(tenant, given)).userId;
  const member = await makeUser(tenant, { roleIds: ["portal.default"] });
  await memberElsewhere({ tenantId: tenant, userId: member.userId }, ["tenant.admin"]);
  const guest = { homeTenantId: await makeTenant() };
  targets["somebody with rights elsewhere"] = member.userId;
  targets["somebody of another tenant"] = (
    await makeUser(tenant, { roleIds: ["portal.default"], row: guest })
  ).userId;
});

async function rejections(headers: Headers, userId: string) {
  const { caller } = await authenticate(new Headers(headers), {
    tenantId: tenant,
    accepted: ["session"],
    origin: { requestId: "req_test", address: "127.0.0.1", agent: "test" },
    operation: "GET /t/{tenant}",
  });
  return findRejections({ ...caller, siteId: headers["X-Service-Site"] }, userId);
}

test.each(["admin", "manager", "siteManager"])(
  "a page offers %s exactly what the operations allow, and shows their errors for the rest",
  async (name) => {
    const headers = callers[name] ?? {};
    let [refused, done] = [0, 0];
    for (const [who, userId] of Object.entries(targets)) {
      const path = `/v1/user/${userId}`;
      if ((await send(`GET ${path}`, { headers })).status === 404) continue;
      const shown = await rejections(headers, userId);
      const emailAddress = `${Math.random().toString(36).slice(2)}@corp.dev`;
      const answers = {
        details: await send(`PATCH ${path}`, { headers, body: { name: `Name of ${who}` } }),
        "email-address": await send(`PATCH ${path}`, { headers, body: { emailAddress } }),
        "password-link": await send(`POST ${path}/password-reset`, { headers }),
      };
      for (const [way, { status, body }] of Object.entries(answers)) {
        // The address is one of the details: if the details cannot be changed here, their error applies.
        const said =
          (way === "email-address" ? shown.details : undefined) ?? shown[way as keyof typeof shown];
        expect([who, way, status < 300 ? undefined : body.detail]).toEqual([who, way, said]);
        if (status < 300) done += 1;
        else refused += 1;
      }
    }
    expect(done).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  },
);
