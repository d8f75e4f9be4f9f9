import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  type HandOffWorld,
  makeHandOffWorld,
  opensNothing,
  shownOf,
} from "@/lib/features/api-keys/hand-offs/testing/hand-off-world";
import { trailOf } from "@/lib/features/audit/testing/trail";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSignedInUser } from "@/lib/setup/testing/factories";

const send = testServer();
let world: HandOffWorld;

beforeAll(() => {
  process.env.RATE_LIMITS = "off";
});
beforeEach(async () => {
  world = await makeHandOffWorld(send);
});

const withdraw = (id: string, headers = world.owner.headers, apiKeyId = world.apiKeyId) =>
  send(`DELETE /v1/user/profile/api-keys/${apiKeyId}/hand-offs/${id}`, { headers });
const codeOf = async (answer: ReturnType<typeof withdraw>) => {
  const { status, body } = await answer;
  return [status, body.code];
};

test("204: the link is invalid afterwards, and the audit trail names who withdrew it", async () => {
  const { body } = await world.create();
  expect((await withdraw(body.id)).status).toBe(204);
  expect(await shownOf(world.open(body.token))).toEqual(opensNothing);
  expect((await trailOf(world.tenant)).at(-1)).toMatchObject({
    action: "api-key.hand-off-withdrawn",
    actor: { type: "user", id: world.owner.userId },
    target: { type: "api-key", id: world.apiKeyId },
    changes: { handOff: { before: body.id } },
  });
});

test("204 does not affect the key's other links", async () => {
  const [one, other] = [await world.create(), await world.create()];
  expect((await withdraw(one.body.id)).status).toBe(204);
  expect((await world.open(other.body.token)).status).toBe(200);
});

test("404 for a link that was opened or withdrawn, for an unknown one and for another key's", async () => {
  const [opened, withdrawn] = [await world.create(), await world.create()];
  await world.open(opened.body.token);
  await withdraw(withdrawn.body.id);
  const missing = [404, "api-key.hand-off-not-found"];
  expect(await codeOf(withdraw(opened.body.id))).toEqual(missing);
  expect(await codeOf(withdraw(withdrawn.body.id))).toEqual(missing);
  expect(await codeOf(withdraw("hof_none"))).toEqual(missing);
  const { apiKeyId } = await makeApiKey(world.tenant, world.owner.userId);
  const { body } = await world.create();
  expect(await codeOf(withdraw(body.id, world.owner.headers, apiKeyId))).toEqual(missing);
});

test("404 for an unknown key and for another user's", async () => {
  const { body } = await world.create();
  const other = await makeSignedInUser(world.tenant, { roleIds: ["portal.default"] });
  const missing = [404, "api-key.not-found"];
  expect(await codeOf(withdraw(body.id, other.headers))).toEqual(missing);
  expect(await codeOf(withdraw(body.id, world.owner.headers, "key_none"))).toEqual(missing);
  expect((await world.open(body.token)).status).toBe(200);
});
