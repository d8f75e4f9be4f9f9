import { expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const password = "four words in a row";

test("401 link.void: the issuer has since changed the password, because the session was stolen", async () => {
  const tenant = await makeTenant();
  const manager = await makeUser(tenant, { password, roleIds: ["portal.users.mgmt"] });
  const target = await makeUser(tenant, { password, roleIds: ["portal.default"] });
  const { headers } = await makeSession(tenant, manager.userId);
  const issue = async () =>
    (await send(`POST /v1/user/${target.userId}/password-reset`, { headers })).body.token;
  const confirm = (token: string) =>
    send("POST /v1/user/password-resets/confirm", {
      headers: { "X-Service-Tenant": tenant },
      body: { token, password: "another four words here" },
    });
  const token = await issue();
  const body = { current: password, password: "my own new password" };
  expect((await send("PUT /v1/user/password", { headers, body })).status).toBe(204);
  const refused = await confirm(token);
  expect([refused.status, refused.body.code]).toEqual([401, "link.void"]);
  expect((await confirm(await issue())).status).toBe(204);
});
