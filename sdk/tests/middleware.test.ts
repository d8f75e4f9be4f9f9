import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import type { Verifier } from "@/sdk/src/index.js";
import {
  expressMiddleware,
  fastifyHook,
  nodeHandler,
  type Requirement,
  type Verified,
  webHandler,
} from "@/sdk/src/middleware.js";
import { Network, verifiersAt } from "./testing/verifiers";

const send = testServer();
const servers: Server[] = [];
const requirement: Requirement = {
  permission: "order.manage",
  siteHeader: "x-service-site",
  operation: "GET /orders",
};
let tenant: string;
let userId: string;
let login: string;
let verifyKey: string;
let verifier: Verifier;
const network = new Network();
const verifiers = verifiersAt(() => ({ url: send.url(), tenant, verifyKey }));

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  const service = await makeUser(tenant, { roleIds: ["portal.configurations.mgmt"] });
  verifyKey = (await makeApiKey(tenant, service.userId)).apiKey;
  ({ userId, login } = await makeUser(tenant, { sites: { one: ["portal.order.mgmt"] } }));
  verifier = verifiers.open(network);
});
afterAll(async () => {
  delete process.env.RATE_LIMITS;
  for (const server of servers) server.close();
  await verifiers.close();
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

/** The part of Fastify's reply that the hook uses. */
function replyOn(response: ServerResponse) {
  const reply = {
    code(status: number) {
      response.statusCode = status;
      return reply;
    },
    headers(values: Record<string, string>) {
      for (const [name, value] of Object.entries(values)) response.setHeader(name, value);
      return reply;
    },
    send: (body: unknown) => response.end(JSON.stringify(body)),
  };
  return reply;
}

type Ask = (headers: Record<string, string>) => Promise<Response>;

const over =
  (start: () => Promise<string>): (() => Promise<Ask>) =>
  async () => {
    const url = await start();
    return (headers) => fetch(url, { headers });
  };

const adapters: Record<string, () => Promise<Ask>> = {
  "a handler of Node's http": over(() =>
    listen(nodeHandler(verifier, requirement, (_, response, caller) => response.end(caller.login))),
  ),
  "middleware of Express": over(() => {
    const middleware = expressMiddleware(verifier, requirement);
    return listen((request, response) =>
      middleware(request, response, () => response.end((request as Verified).gatehouse?.login)),
    );
  }),
  "a hook of Fastify": over(() => {
    const hook = fastifyHook(verifier, requirement);
    return listen(async (request, response) => {
      await hook(request, replyOn(response));
      const { gatehouse } = request as Verified;
      if (gatehouse) response.end(gatehouse.login);
    });
  }),
  "a handler of web requests": async () => {
    const addressOf = () => "127.0.0.1";
    const handler = webHandler(
      verifier,
      { ...requirement, addressOf },
      (_, caller) => new Response(caller.login),
    );
    return (headers) => handler(new Request("http://orders.example/", { headers }));
  },
};

test("400 for a second Authorization header, which Fastify's `headers` drops", async () => {
  const both = { headersDistinct: { authorization: ["Bearer svk_one", "Bearer svk_two"] } };
  const hook = fastifyHook(verifier, requirement);
  const request = { headers: { authorization: "Bearer svk_one" }, raw: both };
  const url = await listen((_, response) => hook(request, replyOn(response)));
  expect(await (await fetch(url)).json()).toMatchObject({ code: "AMBIGUOUS" });
});

describe.each(Object.entries(adapters))("%s", (_, adapt) => {
  const site = { "X-Service-Site": "one" };

  test("lets a credential with the permission through, in each header", async () => {
    const ask = await adapt();
    const { apiKey } = await makeApiKey(tenant, userId, { allowedAddresses: ["127.0.0.1/32"] });
    const { sessionId } = await makeSession(tenant, userId);
    for (const credential of [
      { "X-Service-API-Key": apiKey },
      { Authorization: `Bearer ${apiKey}` },
      { "X-Service-Session-Id": sessionId },
    ] as Record<string, string>[]) {
      const response = await ask({ ...site, ...credential });
      expect([response.status, await response.text()]).toEqual([200, login]);
    }
  });

  test("401 without a credential and for one that does not work", async () => {
    const ask = await adapt();
    for (const headers of [{}, { "X-Service-API-Key": "svk_no" }, { Authorization: "Basic x" }]) {
      const response = await ask({ ...site, ...headers } as Record<string, string>);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
    }
  });

  test("400 for two credentials, regardless of their validity", async () => {
    const ask = await adapt();
    const { apiKey } = await makeApiKey(tenant, userId);
    const { sessionId } = await makeSession(tenant, userId);
    const pairs: Record<string, string>[] = [
      { "X-Service-API-Key": apiKey, "X-Service-Session-Id": sessionId },
      { "X-Service-API-Key": apiKey, "X-Service-Session-Id": "svs_unknown" },
      { "X-Service-API-Key": "svk_unknown", Authorization: `Bearer ${apiKey}` },
      { "X-Service-API-Key": apiKey, Authorization: apiKey },
      { "X-Service-Session-Id": sessionId, Authorization: "bearer a b" },
      { "X-Service-API-Key": `${apiKey}, svk_unknown` },
    ];
    for (const pair of pairs) {
      const response = await ask({ ...site, ...pair });
      expect([response.status, (await response.json()).code]).toEqual([400, "AMBIGUOUS"]);
    }
  });

  test("ignores another scheme in Authorization and a repeated key", async () => {
    const ask = await adapt();
    const { apiKey } = await makeApiKey(tenant, userId);
    for (const headers of [
      { "X-Service-API-Key": apiKey, Authorization: "Basic dXNlcjpwYXNz" },
      { "X-Service-API-Key": `${apiKey}, ${apiKey}` },
      { Authorization: apiKey },
    ] as Record<string, string>[])
      expect((await ask({ ...site, ...headers })).status).toBe(200);
  });

  test("without a site in the header the whole tenant is verified, where a site's permission does not apply", async () => {
    const ask = await adapt();
    const atOne = await makeApiKey(tenant, userId);
    const response = await ask({ "X-Service-API-Key": atOne.apiKey });
    expect([response.status, (await response.json()).code]).toEqual([
      403,
      "INSUFFICIENT_PERMISSION",
    ]);
    const everywhere = await makeUser(tenant, { roleIds: ["portal.order.mgmt"] });
    const { apiKey } = await makeApiKey(tenant, everywhere.userId);
    expect((await ask({ "X-Service-API-Key": apiKey })).status).toBe(200);
  });

  test("403 for another site, and for a key from another address", async () => {
    const ask = await adapt();
    const { apiKey } = await makeApiKey(tenant, userId);
    const elsewhere = await makeApiKey(tenant, userId, { allowedAddresses: ["192.0.2.1/32"] });
    const atTwo = await ask({ "X-Service-API-Key": apiKey, "X-Service-Site": "two" });
    expect([atTwo.status, (await atTwo.json()).code]).toEqual([403, "WRONG_SITE"]);
    const foreign = await ask({ ...site, "X-Service-API-Key": elsewhere.apiKey });
    expect([foreign.status, (await foreign.json()).code]).toEqual([403, "WRONG_ADDRESS"]);
  });

  test("429 with Retry-After for a key that has used up its limit", async () => {
    const ask = await adapt();
    const limit = { rateLimit: 1, rateWindowSeconds: 86_400 };
    const { apiKey } = await makeApiKey(tenant, userId, limit);
    const headers = { ...site, "X-Service-API-Key": apiKey };
    expect((await ask(headers)).status).toBe(200);
    const response = await ask(headers);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("503 while credentials cannot be verified: no request passes", async () => {
    const ask = await adapt();
    const { apiKey } = await makeApiKey(tenant, userId);
    network.cut = /./;
    const response = await ask({ ...site, "X-Service-API-Key": apiKey });
    network.cut = undefined;
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
  });
});

test("detects a second Authorization header, which Node drops from `headers`", async () => {
  const url = await listen(nodeHandler(verifier, requirement, (_, response) => response.end()));
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = ["GET / HTTP/1.1", "Host: a", "Authorization: Bearer a", "Authorization: Bearer b"];
  socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
  const chunks: string[] = [];
  for await (const chunk of socket) chunks.push(String(chunk));
  expect(chunks.join("")).toMatch(/^HTTP\/1\.1 400 /);
});

test("`caller.site` is the verified site, or undefined for the whole tenant", async () => {
  const handler = webHandler(verifier, requirement, (_, { site = "whole tenant" }) => {
    return new Response(site);
  });
  const admin = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { apiKey } = await makeApiKey(tenant, admin.userId);
  const ask = async (headers: Record<string, string>) =>
    (
      await handler(
        new Request("http://orders.example/", {
          headers: { "X-Service-API-Key": apiKey, ...headers },
        }),
      )
    ).text();
  expect(await ask({ "X-Service-Site": "one" })).toBe("one");
  expect(await ask({})).toBe("whole tenant");
  expect(await ask({ "X-Service-Site": " " })).toBe("whole tenant");
});
