import { expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSignedInUser, makeTenant } from "@/lib/setup/testing/factories";

const send = testServer();

test("409: a service user's keys have unique names", async () => {
  const tenant = await makeTenant();
  const { headers } = await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });
  const roles = { roleIds: ["portal.default"] };
  const body = { login: "importer", name: "Importer", roles };
  const { id } = (await send("POST /v1/user/service-users", { headers, body })).body;
  const create = (name: string) =>
    send(`POST /v1/user/${id}/api-keys`, {
      headers,
      body: { name, validTo: new Date(Date.now() + 3_600_000).toISOString() },
    });
  expect((await create("nightly")).status).toBe(200);
  const again = await create("Nightly");
  expect([again.status, again.body.code, again.body.reason]).toEqual([
    409,
    "api-key.name-taken",
    "/name",
  ]);
});
