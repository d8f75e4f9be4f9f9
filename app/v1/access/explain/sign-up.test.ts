import { afterEach, expect, test, vi } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();

afterEach(() => void vi.unstubAllEnvs());

test.each(["POST /v1/signup", "POST /v1/user/sandboxes"])(
  "200: %s is not allowed where sign-up is closed, and is where it is open",
  async (operation) => {
    const tenant = await makeTenant();
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { headers } = await makeSession(tenant, userId);
    const explain = async () =>
      (await send("POST /v1/access/explain", { headers, body: { userId, operation } })).body;
    vi.stubEnv("SIGN_UP", "off");
    expect(await explain()).toMatchObject({
      allowed: false,
      blockedBy: [{ code: "signup.closed", reason: "SIGN_UP" }],
    });
    vi.stubEnv("SIGN_UP", "on");
    expect(await explain()).toMatchObject({ allowed: true, blockedBy: [] });
  },
);
