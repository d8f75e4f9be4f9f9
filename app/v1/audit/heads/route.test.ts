import { expect, test } from "vitest";
import { transaction } from "@/lib/database/open";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { signHead } from "@/lib/features/audit/sign-heads";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();

async function signedTrail(heads: number) {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] });
  for (let n = 0; n < heads; n += 1) {
    await transaction((tx) =>
      record(tx, actingAsSystem(tenant, "test"), {
        action: "user.locked",
        target: { type: "user", id: "u" },
      }),
    );
    await signHead(tenant);
  }
  return { tenant, headers: (await makeApiKey(tenant, userId)).headers };
}

test("200: signed heads, newest first, in pages", async () => {
  const { tenant, headers } = await signedTrail(3);
  const first = await send("GET /v1/audit/heads?limit=2", { headers });
  expect(first.body.map((head: { seq: number }) => head.seq)).toEqual([3, 2]);
  expect(first.body[0]).toMatchObject({
    tenant,
    kid: expect.stringMatching(/^trail-/),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1];
  const second = await send(`GET ${next}`, { headers });
  expect(second.body.map((head: { seq: number }) => head.seq)).toEqual([1]);
  expect(second.headers.get("link")).toBeNull();
});

test("200: a chain that has not changed gets no second head", async () => {
  const { tenant, headers } = await signedTrail(1);
  await signHead(tenant);
  expect((await send("GET /v1/audit/heads", { headers })).body).toHaveLength(1);
});

test("200: the key set has the key of the heads, with a separate kid and purpose", async () => {
  const { headers } = await signedTrail(1);
  const [head] = (await send("GET /v1/audit/heads", { headers })).body;
  const { keys } = (await send("GET /.well-known/jwks.json")).body;
  expect(keys.find((key: { kid: string }) => key.kid === head.kid)).toMatchObject({
    kty: "OKP",
    crv: "Ed25519",
    use: "sig",
    alg: "EdDSA",
    "x-purpose": "audit-heads",
  });
});

test("400: a cursor that is not one of this list", async () => {
  const { headers } = await signedTrail(0);
  expect((await send("GET /v1/audit/heads?cursor=x", { headers })).body.reason).toBe("?cursor");
});

test("403: without audit.read", async () => {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant);
  const { headers } = await makeApiKey(tenant, userId);
  expect((await send("GET /v1/audit/heads", { headers })).status).toBe(403);
});
