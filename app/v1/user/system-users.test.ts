import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import {
  makeApiKey,
  makeSignedInUser,
  makeTenant,
  makeUser,
  type NewUser,
} from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
const password = "four words in a row";
const newPassword = "another four words here";
let tenant: string;
let admin: { userId: string; headers: Headers };
let manager: { userId: string; headers: Headers };
let target: { userId: string; login: string; headers: Headers };

const signedIn = (given: NewUser) => makeSignedInUser(tenant, { password, ...given });

beforeAll(async () => {
  tenant = await makeTenant();
  admin = await signedIn({ roleIds: ["tenant.admin"] });
});

beforeEach(async () => {
  manager = await signedIn({ roleIds: ["portal.users.mgmt"] });
  target = await signedIn({ roleIds: ["portal.default"] });
});

const issue = (by = manager, userId = target.userId) =>
  send(`POST /v1/user/${userId}/password-reset`, { headers: by.headers });
const confirm = (token: string, given = newPassword) =>
  send("POST /v1/user/password-resets/confirm", {
    headers: { "X-Service-Tenant": tenant },
    body: { token, password: given },
  });

describe("403 user.system: only system users may change system users", () => {
  test.each([
    ["POST password-reset", undefined],
    ["POST lock", { reason: "x" }],
    ["POST unlock", undefined],
    ["POST deactivate", undefined],
    ["POST reactivate", undefined],
    ["PATCH ", { name: "Mine" }],
    ["PUT roles", { roleIds: ["tenant.admin", "portal.default"] }],
    ["DELETE sessions", undefined],
  ])("%s", async (verb, body) => {
    const system = await makeUser(tenant, {
      password,
      roleIds: ["tenant.admin"],
      row: { isSystem: true },
    });
    const [method, path] = verb.split(" ");
    const headers = { ...admin.headers, "If-Match": "*" };
    const answer = await send(`${method} /v1/user/${system.userId}${path ? `/${path}` : ""}`, {
      headers,
      ...(body && { body }),
    });
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
      403,
      "user.system",
      "system",
    ]);
  });

  test("nor their keys, by any method, nor may keys be handed to them", async () => {
    const system = await makeUser(tenant, { roleIds: ["portal.default"], row: { isSystem: true } });
    const [theirs, mine] = [
      await makeApiKey(tenant, system.userId),
      await makeApiKey(tenant, target.userId),
    ];
    const codes = [];
    for (const verb of ["suspend", "resume", "revoke", "rotate", "handover"]) {
      const body = verb === "handover" ? { userId: target.userId } : {};
      codes.push(
        (
          await send(`POST /v1/user/api-keys/${theirs.apiKeyId}/${verb}`, {
            headers: admin.headers,
            body,
          })
        ).body.code,
      );
    }
    const handover = await send(`POST /v1/user/api-keys/${mine.apiKeyId}/handover`, {
      headers: admin.headers,
      body: { userId: system.userId },
    });
    expect([...codes, handover.body.code]).toEqual(Array(6).fill("user.system"));
  });

  test("a system user resets another; the link is invalid once its author is no system user", async () => {
    const [one, two] = [
      await signedIn({ roleIds: ["tenant.admin"], row: { isSystem: true } }),
      await makeUser(tenant, { password, row: { isSystem: true } }),
    ];
    const { body } = await issue(one, two.userId);
    expect((await confirm(body.token)).status).toBe(204);
  });
});
