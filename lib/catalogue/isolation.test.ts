import { afterAll, beforeAll, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import {
  type Operation,
  rowsOf,
  type SampleRequest,
  sampleRequests,
} from "./testing/isolation-requests";
import { credentialsOf, type IsolationWorld, makeIsolationWorld } from "./testing/isolation-world";
import type { DeclaredOperation, Schema } from "./testing/sample-bodies";

/**
 * Every operation of /openapi.json, with every credential kind of tenant A and the ids of tenant B in path, query and body, under
 * A's and under B's tenant header. No response may contain B's data, nothing of B may change, no response is a 5xx.
 */

const send = testServer();

/** They end the caller's own credentials, which are created again after each, or resources that other samples use: they run last. */
const endsCaller = [
  "DELETE /v1/tenant/sites/{id}",
  "DELETE /v1/user/session",
  "DELETE /v1/user/sessions/{ref}",
  "POST /v1/customer/logout",
  "DELETE /v1/customer/profile",
  // The last one: it raises the user's credential epoch, which sessions created by the factories do not have.
  "DELETE /v1/user/sessions",
];

/** They need a secret that only its owner has, or permissions of the platform. */
const outOfReach = [
  "POST /v1/user/session-login",
  "POST /v1/user/session-login/second-factor",
  "POST /v1/user/session-login/set-up",
  "POST /v1/user/session-login/set-up/confirm",
  "POST /v1/user/passkey-login",
  "POST /v1/user/passkeys",
  "POST /v1/user/invitations/accept",
  "POST /v1/user/password-resets/confirm",
  "POST /v1/user/email-confirmations/confirm",
  "PUT /v1/user/password",
  "POST /v1/sso/{connection}/backchannel-logout",
  "POST /pim/preview/{key}/shares/exchange",
  "POST /v1/customer/login/token",
  "POST /v1/customer/login/refresh-token",
  "POST /v1/customer/password",
  "POST /v1/customer/password-resets/confirm",
];

let a: IsolationWorld;
let b: IsolationWorld;
let operations: Operation[];
let components: Record<string, Schema>;

const faults: string[] = [];
const reached = new Set<string>();
const working = new Set<string>();

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  [a, b] = [await makeIsolationWorld(send), await makeIsolationWorld(send)];
  const { body } = await send("GET /openapi.json");
  components = body.components.schemas;
  const place = ({ name }: Operation) => endsCaller.indexOf(name);
  const all = Object.entries<Record<string, DeclaredOperation>>(body.paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, declared]) => ({
        name: `${method.toUpperCase()} ${path}`,
        declared,
      })),
  );
  operations = all.toSorted((one, other) => place(one) - place(other));
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
});

interface As {
  scheme: string;
  credential: Record<string, string>;
  tenant: string;
}

async function attempt(
  operation: Operation,
  { path, type, body }: SampleRequest,
  as: As,
): Promise<void> {
  const { scheme, credential, tenant } = as;
  const headers = {
    ...credential,
    "X-Service-Tenant": tenant,
    "X-Service-Site": "one",
    "If-Match": "*",
    "Sec-Fetch-Site": "same-origin",
    ...(type === undefined ? {} : { "Content-Type": type }),
  };
  const method = operation.name.slice(0, operation.name.indexOf(" "));
  const isForm = type === "application/x-www-form-urlencoded";
  const sent = isForm
    ? { raw: new URLSearchParams(body as Record<string, string>).toString() }
    : { body };
  const answer = await send(`${method} ${path}`, {
    headers,
    ...(type === undefined ? {} : sent),
  });
  const isOwn = tenant === a.tenant;
  const fault = (text: string) =>
    faults.push(`${method} ${path} by ${scheme} at ${isOwn ? "A" : "B"}: ${answer.status} ${text}`);
  const response = `${answer.text} ${JSON.stringify([...answer.headers])}`;
  if (response.includes(b.canary)) fault("shows the other tenant's data");
  if (answer.status >= 500) fault(answer.text);
  const isOpen = scheme === "none" || (operation.declared.security ?? []).length === 0;
  if (!isOwn && answer.status < 300 && !isOpen) fault("is carried out");
  if (isOwn && ![400, 401].includes(answer.status)) reached.add(operation.name);
  if (isOwn && answer.status < 300 && !isOpen) working.add(scheme);
}

test("no operation shows or changes anything of another tenant", { timeout: 900_000 }, async () => {
  const before = await rowsOf(b.tenant);
  let schemes = await credentialsOf(send, a, b.tenant);
  for (const operation of operations) {
    const foreign = sampleRequests(operation, b, b, components);
    const mixed = sampleRequests(operation, a, b, components);
    const own = sampleRequests(operation, a, a, components).slice(0, 1);
    for (const [scheme, credential] of Object.entries(schemes)) {
      for (const tenant of [a.tenant, b.tenant])
        for (const request of [...foreign, ...mixed])
          await attempt(operation, request, { scheme, credential, tenant });
      for (const request of own)
        await attempt(operation, request, { scheme, credential, tenant: a.tenant });
    }
    if (endsCaller.includes(operation.name)) schemes = await credentialsOf(send, a, b.tenant);
  }
  expect(faults).toEqual([]);
  expect(await rowsOf(b.tenant)).toEqual(before);
  expect([...working].toSorted()).toEqual(
    Object.keys(schemes)
      .filter((scheme) => scheme !== "none")
      .toSorted(),
  );
  const missed = operations.map(({ name }) => name).filter((name) => !reached.has(name));
  expect(missed.filter((name) => !outOfReach.includes(name))).toEqual([]);
});
