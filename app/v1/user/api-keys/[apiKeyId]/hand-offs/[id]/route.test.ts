import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type HandOffWorld,
  makeHandOffWorld,
  opensNothing,
  shownOf,
} from "@/lib/features/api-keys/hand-offs/testing/hand-off-world";
import { trailOf } from "@/lib/features/audit/testing/trail";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSignedInUser, type NewUser } from "@/lib/setup/testing/factories";

const send = testServer();
let world: HandOffWorld;
let manager: Awaited<ReturnType<typeof makeSignedInUser>>;

beforeAll(() => {
  process.env.RATE_LIMITS = "off";
});
beforeEach(async () => {
  world = await makeHandOffWorld(send);
  manager = await makeSignedInUser(world.tenant, { roleIds: ["portal.users.mgmt"] });
});

const withdraw = (id: string, apiKeyId = world.apiKeyId, headers = manager.headers) =>
  send(`DELETE /v1/user/api-keys/${apiKeyId}/hand-offs/${id}`, { headers });
const codeOf = async (answer: ReturnType<typeof withdraw>) => {
  const { status, body } = await answer;
  return [status, body.code];
};

/** A link created by the owner of a key whose secret the manager may not know. */
async function linkOf(user: NewUser) {
  const owner = await makeSignedInUser(world.tenant, user);
  const { apiKeyId } = await makeApiKey(world.tenant, owner.userId);
  const { body } = await world.create({}, owner.headers, apiKeyId);
  return { apiKeyId, id: body.id as string, token: body.token as string };
}

test("204 for any user's key, as for its revocation, and the audit trail names who withdrew it", async () => {
  const { body } = await world.create();
  expect((await withdraw(body.id)).status).toBe(204);
  expect(await shownOf(world.open(body.token))).toEqual(opensNothing);
  expect((await trailOf(world.tenant)).at(-1)).toMatchObject({
    action: "api-key.hand-off-withdrawn",
    actor: { type: "user", id: manager.userId },
    target: { type: "api-key", id: world.apiKeyId },
  });
});

describe("403", () => {
  test.each([
    ["a tenant.admin", { roleIds: ["tenant.admin"] }, "user.admin-only"],
    ["a system user", { roleIds: ["portal.default"], row: { isSystem: true } }, "user.system"],
  ])("a key of %s, whose link stays valid", async (_, user, code) => {
    const { id, apiKeyId, token } = await linkOf(user);
    expect(await codeOf(withdraw(id, apiKeyId))).toEqual([403, code]);
    expect((await world.open(token)).status).toBe(200);
  });

  test("without api-key.manage", async () => {
    const { body } = await world.create();
    const { headers } = await makeSignedInUser(world.tenant, { roleIds: ["portal.default"] });
    const answer = withdraw(body.id, world.apiKeyId, headers);
    expect(await codeOf(answer)).toEqual([403, "auth.permission-missing"]);
  });
});

test("404 for an unknown key and an unknown link", async () => {
  expect(await codeOf(withdraw("hof_none", "key_none"))).toEqual([404, "api-key.not-found"]);
  expect(await codeOf(withdraw("hof_none"))).toEqual([404, "api-key.hand-off-not-found"]);
});
