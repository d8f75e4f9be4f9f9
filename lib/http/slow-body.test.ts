import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { operations } from "@/lib/catalogue/operations";
import { connect } from "@/lib/features/connections/provisioning/testing/provisioning-world";
import { bearer, openShop, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { connectRaw, rawRequest } from "@/lib/server/testing/raw";
import {
  makeApiKey,
  makeSession,
  makeSignedInUser,
  makeTenant,
  makeUser,
} from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
let tenant: string;
let admin: Headers;
let shop: Shop;

beforeAll(async () => {
  tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  admin = (await makeSession(tenant, userId)).headers;
  shop = await openShop(send);
});

const signedIn = (roleIds: string[]) => makeSignedInUser(tenant, { roleIds });

/** Sends headers, runs `meanwhile` once the server has authenticated the caller and reads the body, then sends the body. */
async function sendSlowly(
  operation: string,
  headers: Headers,
  body: unknown,
  meanwhile: () => Promise<unknown>,
) {
  const text = JSON.stringify(body);
  const own = {
    Host: "localhost",
    "Content-Type": "application/json",
    "Content-Length": String(text.length),
    Expect: "100-continue",
  };
  const lines = Object.entries({ ...own, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const connection = connectRaw(send.url());
  connection.send(`${operation} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  expect((await connection.answer()).status).toBe(100);
  connection.send(text.slice(0, 5));
  await meanwhile();
  await pause(260);
  connection.send(text.slice(5));
  const answer = await connection.answer();
  connection.end();
  return { status: answer.status, body: answer.body === "" ? undefined : JSON.parse(answer.body) };
}

const ok = (answer: { status: number; text: string }) =>
  expect(answer.status, answer.text).toBeLessThan(300);
const apiKeyBody = () => ({
  name: "slow",
  validTo: new Date(Date.now() + 3_600_000).toISOString(),
});

describe("a caller who loses rights while the body arrives", () => {
  test("401: the sessions were ended", async () => {
    const { userId, headers } = await signedIn(["portal.default"]);
    const answer = await sendSlowly(
      "POST /v1/user/profile/api-keys",
      headers,
      apiKeyBody(),
      async () => ok(await send(`DELETE /v1/user/${userId}/sessions`, { headers: admin })),
    );
    expect(answer.body.code).toBe("auth.credentials-invalid");
    expect(answer.status).toBe(401);
  });

  test("403: the owner of an API key was locked", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.pim.mgmt"] });
    const { headers } = await makeApiKey(tenant, userId);
    const preview = {
      key: "slow-preview",
      configuration: { urlTemplate: "https://shop.example/{locale}" },
    };
    const answer = await sendSlowly(
      "POST /pim/preview",
      { ...headers, "X-Service-Site": "one" },
      preview,
      async () =>
        ok(
          await send(`POST /v1/user/${userId}/lock`, { headers: admin, body: { reason: "left" } }),
        ),
    );
    expect(answer.body.code).toBe("user.locked");
    expect(answer.status).toBe(403);
  });

  test("403: the role was revoked", async () => {
    const { userId, headers } = await signedIn(["portal.users.mgmt"]);
    const user = {
      login: "slow-program",
      name: "Slow program",
      roles: { roleIds: ["portal.default"], sites: {} },
    };
    const answer = await sendSlowly("POST /v1/user/service-users", headers, user, async () =>
      ok(
        await send(`PUT /v1/user/${userId}/roles`, {
          headers: { ...admin, "If-Match": "*" },
          body: { roleIds: ["portal.default"], sites: {} },
        }),
      ),
    );
    expect(answer.body.code).toBe("auth.permission-missing");
    expect(answer.status).toBe(403);
  });

  test("400: the site was deleted", async () => {
    ok(
      await send("POST /v1/tenant/sites", { headers: admin, body: { id: "brief", name: "Brief" } }),
    );
    const { headers } = await signedIn(["tenant.admin"]);
    const validation = { configuration: {} };
    const answer = await sendSlowly(
      "POST /pim/preview/validate",
      { ...headers, "X-Service-Site": "brief" },
      validation,
      async () => ok(await send("DELETE /v1/tenant/sites/brief", { headers: admin })),
    );
    expect(answer.body.code).toBe("site.unknown");
    expect(answer.status).toBe(400);
  });

  test("401: the provisioning token was replaced", async () => {
    const { id, path, token } = await connect(send, admin);
    const headers = { Authorization: `Bearer ${token}` };
    const user = { userName: "slow@shop.example" };
    const answer = await sendSlowly(`POST ${path}/Users`, headers, user, async () =>
      ok(
        await send(`POST /v1/tenant/connections/${id}/provisioning-token`, {
          headers: admin,
          body: { overlap: "PT0S" },
        }),
      ),
    );
    expect(answer.status).toBe(401);
    const found = await send("GET /v1/user/list?q=slow%40shop", { headers: admin });
    expect(found.body).toEqual([]);
  });

  test("401: the shopper signed out", async () => {
    const { login } = await shop.customer();
    const pair = await shop.enter(login);
    const headers = { ...shop.headers, ...bearer(pair.accessToken) };
    const answer = await sendSlowly(
      "PATCH /v1/customer/profile",
      headers,
      { name: { first: "Slow" } },
      async () => ok(await send("POST /v1/customer/logout", { headers })),
    );
    expect(answer.body.code).toBe("auth.credentials-invalid");
    expect(answer.status).toBe(401);
  });
});

test("200: a caller who keeps the rights, and the request is counted once", async () => {
  const { headers } = await signedIn(["portal.default"]);
  const remaining = async () =>
    Number(
      /;r=(\d+)/.exec(
        (await send("GET /v1/user/session", { headers })).headers.get("ratelimit") ?? "",
      )?.[1],
    );
  const before = await remaining();
  expect(
    (
      await sendSlowly(
        "POST /v1/user/profile/api-keys",
        headers,
        apiKeyBody(),
        async () => undefined,
      )
    ).status,
  ).toBe(200);
  expect(await remaining()).toBe(before - 2);
});

describe("an optional body", () => {
  const optional = operations.filter(
    ({ isBodyOptional, plane }) => isBodyOptional && plane === "management",
  );
  const sendInChunks = (operation: string, chunks: string) => {
    const lines = Object.entries({ ...admin, "X-Service-Site": "one" }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    return rawRequest(
      send.url(),
      `${operation} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n${lines.join("\r\n")}\r\n\r\n${chunks}0\r\n\r\n`,
    );
  };

  test.each(optional.map(({ operation }) => operation.replaceAll(/\{\w+\}/g, "x")))(
    "404 for what is not there, and no 415, in chunks that hold nothing: %s",
    async (operation) => {
      await send("POST /v1/tenant/sites", { headers: admin, body: { id: "one", name: "One" } });
      expect((await sendInChunks(operation, "")).status).toBe(404);
      expect((await sendInChunks(operation, "2\r\n{}\r\n")).status).toBe(415);
    },
  );
});
