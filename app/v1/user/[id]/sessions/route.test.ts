import { beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import {
  makeSession,
  makeSignedInUser,
  makeTenant,
  makeUser,
  type NewUser,
} from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();

let tenant: string;
let manager: Headers;
let siteManager: Headers;

const signedIn = async (given: NewUser) => (await makeSignedInUser(tenant, given)).headers;

beforeAll(async () => {
  tenant = await makeTenant();
  manager = await signedIn({ roleIds: ["portal.users.mgmt"] });
  siteManager = {
    ...(await signedIn({ sites: { one: ["portal.users.mgmt"] } })),
    "X-Service-Site": "one",
  };
});

describe("sessions of others", () => {
  test("200 and 204: managers list and end them; 403 for an administrator's, 404 outside the manager's site", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const session = await makeSession(tenant, userId, { agent: "curl" });
    const list = await send(`GET /v1/user/${userId}/sessions`, { headers: manager });
    expect(list.body).toMatchObject([{ ref: session.sessionRef, agent: "curl", current: false }]);
    expect((await send(`DELETE /v1/user/${userId}/sessions`, { headers: manager })).status).toBe(
      204,
    );
    expect((await send("GET /v1/user/session", { headers: session.headers })).status).toBe(401);
    expect(
      (await send(`DELETE /v1/user/${userId}/sessions`, { headers: siteManager })).status,
    ).toBe(404);
    const boss = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    expect(
      (await send(`DELETE /v1/user/${boss.userId}/sessions`, { headers: manager })).body.code,
    ).toBe("user.admin-only");
  });
});
