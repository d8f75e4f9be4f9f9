import { expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeTenant } from "@/lib/setup/testing/factories";

const send = testServer();
process.env.RATE_LIMITS = "off";

test("400 for a site or tenant that does not exist; 200 stores nothing", async () => {
  const operation = "POST /v1/customer/login/anonymous-token";
  const tenant = await makeTenant();
  for (const headers of [
    { "X-Service-Tenant": tenant, "X-Service-Site": "three" },
    { "X-Service-Tenant": "no-such-tenant", "X-Service-Site": "one" },
  ]) {
    const answer = await send(operation, { headers });
    expect([answer.status, answer.body.code]).toEqual([400, "site.unknown"]);
  }
  const missing = await send(operation, { headers: { "X-Service-Tenant": tenant } });
  expect([missing.status, missing.body.reason]).toEqual([400, "X-Service-Site"]);
  const { status, body } = await send(operation, {
    headers: { "X-Service-Tenant": tenant, "X-Service-Site": "one" },
  });
  expect([status, body.tokenType, body.expiresIn]).toEqual([200, "Bearer", 3600]);
});
