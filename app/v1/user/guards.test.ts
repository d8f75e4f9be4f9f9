import { beforeAll, describe, expect, test } from "vitest";
import { namedOperations } from "@/lib/catalogue/operations";
import { sampleRequests } from "@/lib/catalogue/testing/isolation-requests";
import { type IsolationWorld, makeIsolationWorld } from "@/lib/catalogue/testing/isolation-world";
import type { DeclaredOperation } from "@/lib/catalogue/testing/sample-bodies";
import { type Answered, testServer } from "@/lib/http/testing/test-server";
import { type Endpoint, methodOf, pathOf } from "@/lib/protocol/endpoint";
import type { ErrorCode } from "@/lib/protocol/error-codes";
import { makeApiKey, makeSignedInUser, makeTenant, makeUser } from "@/lib/setup/testing/factories";

/**
 * Tests every rejection that each operation on a user or a key declares: the operation responds with that code for a user or key to
 * which it applies.
 */

const send = testServer();
const allRoles = ["tenant.admin", "portal.users.mgmt"];

type Headers = Record<string, string>;

let world: IsolationWorld;
let manager: { userId: string; headers: Headers };
let document: Answered["body"];

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  document = (await send("GET /openapi.json")).body;
  world = await makeIsolationWorld(send);
  manager = await makeSignedInUser(world.tenant, { roleIds: ["portal.users.mgmt"] });
});

const declaring = (code: ErrorCode, prefix: string) =>
  namedOperations
    .map(({ declared }) => declared)
    .filter((one) => one.codes?.includes(code) && pathOf(one).startsWith(prefix));

/** The response of an operation for one user or key: a status and a code. */
async function answerOf(
  declared: Endpoint,
  ids: { userId: string; apiKeyId: string },
  caller: { headers: Headers },
): Promise<string> {
  const name = declared.operation;
  const described: DeclaredOperation =
    document.paths[pathOf(declared)][methodOf(declared).toLowerCase()];
  const operation = { name, declared: described };
  const there = { ...world, ...ids };
  const [sample] = sampleRequests(operation, there, world, document.components.schemas);
  const conditional = declared.conditional && methodOf(declared) !== "GET";
  const headers = { ...caller.headers, ...(conditional ? { "If-Match": "*" } : {}) };
  const body = name.startsWith("PATCH /v1/user/{id}") ? { name: "Somebody else" } : sample?.body;
  const path = sample?.path ?? pathOf(declared);
  const answer = await send(`${methodOf(declared)} ${path}`, { headers, body });
  return `${name}: ${answer.body?.code ?? answer.status}`;
}

/** Created for each request, as a request may end sessions. */
const makeAdmin = () => makeSignedInUser(world.tenant, { roleIds: allRoles });

interface Case {
  code: ErrorCode;
  who: string;
  /** Creates the user whom the request is about. */
  target: (callerId: string) => Promise<string>;
  caller?: () => Promise<{ userId: string; headers: Headers }>;
}

const person = async (row: object, roleIds: string[] = ["portal.default"]) =>
  (await makeUser(world.tenant, { roleIds, row })).userId;

const users: Case[] = [
  { code: "user.not-found", who: "nobody", target: async () => "user_unknown" },
  { code: "user.system", who: "a user of the platform", target: () => person({ isSystem: true }) },
  {
    code: "user.other-home",
    who: "a person of another tenant",
    target: async () => person({ homeTenantId: await makeTenant() }),
  },
  {
    code: "user.admin-only",
    who: "an administrator, for who is none",
    target: () => person({}, ["tenant.admin"]),
    caller: async () => manager,
  },
  { code: "user.oneself", who: "oneself", target: async (callerId) => callerId },
];

describe.each(users)("403 or 404: $code, about $who", ({ code, target, caller = makeAdmin }) => {
  test("users and the keys of users", async () => {
    const answers: string[] = [];
    const expected: string[] = [];
    for (const declared of declaring(code, "/v1/user/")) {
      const isOfKey = pathOf(declared).includes("{apiKeyId}");
      const isOfUser = /^\/v1\/user\/\{id\}/.test(pathOf(declared));
      if (!isOfKey && !isOfUser) continue;
      if (isOfKey && code === "user.not-found") continue;
      const from = await caller();
      const userId = await target(from.userId);
      const { apiKeyId } = isOfKey ? await makeApiKey(world.tenant, userId) : world;
      answers.push(await answerOf(declared, { userId, apiKeyId }, from));
      expected.push(`${declared.operation}: ${code}`);
    }
    expect(answers).toEqual(expected);
  });
});

type KeyRow = Parameters<typeof makeApiKey>[2];

const keys: { code: ErrorCode; row: KeyRow }[] = [
  { code: "api-key.expired", row: { validTo: new Date(Date.now() - 1000) } },
  { code: "api-key.revoked", row: { revokedAt: new Date() } },
  { code: "api-key.rotation-required", row: { mustRotate: true, suspendedAt: new Date() } },
];

describe.each(keys)("409: $code", ({ code, row }) => {
  test.each(["/v1/user/profile/api-keys/", "/v1/user/api-keys/"])("%s", async (prefix) => {
    const answers: string[] = [];
    const expected: string[] = [];
    const isOwn = prefix.includes("profile");
    for (const declared of declaring(code, prefix)) {
      const admin = await makeAdmin();
      const owner = isOwn ? admin.userId : await person({ kind: "service" });
      const { apiKeyId } = await makeApiKey(world.tenant, owner, row);
      const ids = { userId: world.userId, apiKeyId };
      answers.push(await answerOf(declared, ids, admin));
      expected.push(`${declared.operation}: ${code}`);
    }
    expect(answers).toEqual(expected);
  });
});
