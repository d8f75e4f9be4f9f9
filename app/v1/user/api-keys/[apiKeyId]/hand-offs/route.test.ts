import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type HandOffWorld,
  makeHandOffWorld,
  sealed,
} from "@/lib/features/api-keys/hand-offs/testing/hand-off-world";
import { testServer } from "@/lib/http/testing/test-server";
import {
  makeApiKey,
  makeSignedInUser,
  makeUser,
  type NewUser,
} from "@/lib/setup/testing/factories";

const send = testServer();
let world: HandOffWorld;
let manager: Record<string, string>;

beforeAll(() => {
  process.env.RATE_LIMITS = "off";
});
beforeEach(async () => {
  world = await makeHandOffWorld(send);
  manager = (await makeSignedInUser(world.tenant, { roleIds: ["portal.users.mgmt"] })).headers;
});

/** A key of another user: by default a service user with the least role. */
async function keyOf({ row, ...given }: NewUser = {}, keyRow = {}): Promise<string> {
  const wanted = { roleIds: ["portal.default"], ...given };
  const user = { ...wanted, row: { kind: "service" as const, ...row } };
  const { userId } = await makeUser(world.tenant, user);
  return (await makeApiKey(world.tenant, userId, keyRow)).apiKeyId;
}

const codeOf = async (apiKeyId: string, headers = manager) => {
  const { status, body } = await world.createManaged(apiKeyId, headers);
  return [status, body.code];
};

test("201 for a service user's key, to a caller who may rotate it", async () => {
  const apiKeyId = await keyOf();
  const { status, headers, body } = await world.createManaged(apiKeyId, manager);
  expect(status).toBe(201);
  expect(headers.get("location")).toBe(`/v1/user/api-keys/${apiKeyId}/hand-offs/${body.id}`);
  expect((await world.open(body.token)).body).toMatchObject({ sealed, apiKeyId });
});

describe("403", () => {
  test("a service user with more permissions than the manager", async () => {
    const apiKeyId = await keyOf({ roleIds: ["portal.configurations.mgmt"] });
    expect(await codeOf(apiKeyId)).toEqual([403, "auth.permission-missing"]);
  });

  test("a key of a tenant.admin", async () => {
    const apiKeyId = await keyOf({ roleIds: ["tenant.admin"] });
    expect(await codeOf(apiKeyId)).toEqual([403, "user.admin-only"]);
  });

  test.each([
    ["locked", { isLocked: true }, "user.locked"],
    ["deactivated", { state: "deactivated" as const }, "user.deactivated"],
  ])("a key whose owner is %s", async (_, row, code) => {
    expect(await codeOf(await keyOf({ row }))).toEqual([403, code]);
  });

  test("a key of a system user", async () => {
    const apiKeyId = await keyOf({ row: { isSystem: true } });
    expect(await codeOf(apiKeyId)).toEqual([403, "user.system"]);
  });
});

test("404 for an unknown key", async () => {
  expect(await codeOf("key_none")).toEqual([404, "api-key.not-found"]);
});

describe("409", () => {
  test("a user's key: only its owner hands it off", async () => {
    const apiKeyId = await keyOf({ row: { kind: "person" } });
    expect(await codeOf(apiKeyId)).toEqual([409, "user.not-service"]);
  });

  test.each([
    ["a revoked key", { revokedAt: new Date() }, "api-key.revoked"],
    ["an expired key", { validTo: new Date(Date.now() - 1000) }, "api-key.expired"],
    ["a key whose secret leaked", { mustRotate: true }, "api-key.rotation-required"],
    ["a suspended key", { suspendedAt: new Date() }, "api-key.suspended"],
  ])("%s", async (_, row, code) => {
    expect(await codeOf(await keyOf({}, row))).toEqual([409, code]);
  });
});

test("409 for more than ten links of a key", async () => {
  const apiKeyId = await keyOf();
  for (let count = 0; count < 10; count += 1)
    expect((await world.createManaged(apiKeyId, manager)).status).toBe(201);
  expect(await codeOf(apiKeyId)).toEqual([409, "api-key.hand-off-limit-reached"]);
});
