import { afterEach, expect, test, vi } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { log } from "@/lib/protocol/log";
import { resetPerProcess } from "@/lib/protocol/per-process";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  resetPerProcess("access-log");
});

const lines = (info: { mock: { calls: unknown[][] } }) =>
  info.mock.calls.filter(([, message]) => message === "answered").map(([fields]) => fields);

test("ACCESS_LOG=on: a line for each request, with its id, operation, status and credential only", async () => {
  resetPerProcess("access-log");
  vi.stubEnv("ACCESS_LOG", "on");
  const info = vi.spyOn(log(), "info");
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { headers, apiKeyId } = await makeApiKey(tenant, userId);
  const ok = await send("GET /v1/user/list?q=ann%40example.com", { headers });
  await send("GET /v1/user/list", { headers: { "X-Service-Tenant": tenant } });
  await expect.poll(() => lines(info)).toHaveLength(2);
  expect(lines(info)).toMatchObject([
    {
      requestId: ok.headers.get("x-service-request-id"),
      method: "GET",
      template: "/v1/user/list",
      status: 200,
      credential: apiKeyId,
    },
    { status: 401, code: "auth.credentials-missing" },
  ]);
  expect(JSON.stringify(lines(info))).not.toContain("example.com");
});

test("off: requests leave no line at info", async () => {
  resetPerProcess("access-log");
  const info = vi.spyOn(log(), "info");
  await send("GET /v1/user/list", { headers: { "X-Service-Tenant": "none" } });
  await send("GET /v1/user/list", { headers: { "X-Service-Tenant": "none" } });
  expect(lines(info)).toEqual([]);
});
