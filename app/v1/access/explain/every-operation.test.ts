import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeCredential } from "@/lib/access/credential-store";
import { roleIds } from "@/lib/access/roles";
import { policyOf } from "@/lib/access/sites";
import { decide } from "@/lib/catalogue/access-decision";
import { operations } from "@/lib/catalogue/operations";
import { projectRoot } from "@/lib/database/data-dir";
import { type Endpoint, methodOf, pathOf } from "@/lib/protocol/endpoint";
import { type Handler, loadRoutes, type RouteTable } from "@/lib/server/routes";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const known = ["", "one", "two"];
let tenant: string;
let handlers: Map<string, Handler>;

function collect({ root }: RouteTable): Map<string, Handler> {
  const found = new Map<string, Handler>();
  const visit = (node: RouteTable["root"]) => {
    const { route } = node;
    if (route)
      for (const [method, handle] of Object.entries(route.handlers))
        found.set(`${method} ${route.template}`, handle);
    for (const next of [...node.fixed.values(), ...(node.one ? [node.one] : [])]) visit(next);
  };
  visit(root);
  return found;
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  handlers = collect(
    await loadRoutes(join(projectRoot(), "app"), (file) => import(/* @vite-ignore */ file)),
  );
  tenant = await makeTenant();
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
});

/** A request that no operation executes: its query is rejected right after the caller's permissions are checked. */
async function attempt(declared: Endpoint, headers: Headers, site: string) {
  const path = pathOf(declared).replace(/\{\w+\}/g, "x");
  const handle = handlers.get(declared.operation);
  if (!handle) throw new Error(`${declared.operation} is not bound.`);
  const request = new Request(`http://localhost${path}?nonsense=1`, {
    method: methodOf(declared),
    headers: { ...headers, ...(site && { "X-Service-Site": site }) },
  });
  const response = await handle(request);
  const body = await response.json();
  const isRefused =
    response.status === 401 ||
    response.status === 403 ||
    ["site.unknown", "request.header-missing"].includes(body.code);
  return { isOk: response.ok, isRefused, code: body.code, reason: body.reason };
}

type Attempt = Awaited<ReturnType<typeof attempt>>;

/** How explanation and handler differ; undefined if they agree. An assertion for each case would take longer than the handlers. */
function difference(
  { plane }: Endpoint,
  told: ReturnType<typeof decide>,
  answer: Attempt,
): string | undefined {
  const { isRefused, code, reason } = answer;
  if (answer.isOk) return "it was carried out";
  if (told.allowed === isRefused) return `allowed is ${told.allowed}, the answer ${code}`;
  const codes = told.blockedBy.map((blocked) => blocked.code);
  if (code === "auth.permission-missing") {
    if (!told.missing.includes(reason)) return `${reason} is not missing in ${told.missing}`;
  } else if (isRefused && plane === "management" && !codes.includes(code))
    return `${code} is not among ${codes}`;
  const isAboutRights = told.allowed || told.missing.length > 0;
  if (isAboutRights && told.because.length > 0 !== told.allowed)
    return `allowed is ${told.allowed}, because of ${JSON.stringify(told.because)}`;
  return undefined;
}

/** Compares explanation and handler for every operation and site; returns the number of cases and of allowed ones. */
async function compare(subject: { userId: string } | { apiKeyId: string }, headers: Headers) {
  const tally = { cases: 0, allowed: 0 };
  const differences: string[] = [];
  const credential = await describeCredential(tenant, subject);
  if (!credential) throw new Error("There is no such credential.");
  for (const declared of operations) {
    // A user is explained with a credential that the operation accepts: sessions do not count where only API keys are accepted.
    const takesOnlyKeys = declared.credentials.join() === "apiKey";
    if (takesOnlyKeys && "userId" in subject) continue;
    // Sign-ins of customers read the body before they look up the site.
    const isSiteJudgedLater =
      declared.plane === "consumer" &&
      declared.credentials.length === 0 &&
      declared.body !== undefined;
    for (const site of isSiteJudgedLater ? known : [...known, "nowhere"]) {
      const answer = await attempt(declared, headers, site);
      const told = decide(declared, credential, site, await policyOf(tenant));
      const found = difference(declared, told, answer);
      if (found !== undefined) differences.push(`${declared.operation} at "${site}": ${found}`);
      tally.cases += 1;
      tally.allowed += Number(told.allowed);
    }
  }
  expect(differences, JSON.stringify(subject)).toEqual([]);
  return tally;
}

describe("explain's answer equals the handler's result, for every operation and site", () => {
  test.each(roleIds)("with the role %s in the tenant, and at one site", async (role) => {
    for (const given of [{ roleIds: [role] }, { sites: { one: [role] } }]) {
      const { userId } = await makeUser(tenant, given);
      const { headers } = await makeSession(tenant, userId);
      const { cases, allowed } = await compare({ userId }, headers);
      expect(cases).toBeGreaterThan(operations.length * known.length);
      expect(allowed).toBeGreaterThan(0);
      expect(allowed).toBeLessThan(cases);
    }
  });

  test("without any role", async () => {
    const { userId } = await makeUser(tenant);
    await compare({ userId }, (await makeSession(tenant, userId)).headers);
  });

  test.each<[string, Parameters<typeof makeUser>[1], Parameters<typeof makeApiKey>[2]]>([
    ["that works", {}, {}],
    [
      "narrowed to two permissions",
      {},
      { permissions: ["user.read", "preview.configuration.read"] },
    ],
    ["narrowed to a site", {}, { siteIds: ["one"] }],
    ["that is suspended", {}, { suspendedAt: new Date() }],
    ["that has expired", {}, { validTo: new Date(Date.now() - 1000) }],
    ["that is revoked", {}, { revokedAt: new Date() }],
    ["of a service user", { row: { kind: "service" } }, {}],
    [
      "of a service user that names two permissions",
      { row: { kind: "service" } },
      { permissions: ["user.manage", "audit.read"] },
    ],
    ["of a locked owner", { row: { isLocked: true } }, {}],
    ["of a deactivated owner", { row: { state: "deactivated" } }, {}],
    ["of an owner of the platform", { row: { isSystem: true } }, {}],
  ])("by a key %s", async (_, owner, row) => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"], ...owner });
    const { apiKeyId, headers } = await makeApiKey(tenant, userId, row);
    await compare({ apiKeyId }, headers);
  });

  test.each<[string, Parameters<typeof makeUser>[1]]>([
    ["with a one-time password", { row: { mustChangePassword: true } }],
    ["who is locked", { row: { isLocked: true } }],
    ["of the platform", { row: { isSystem: true } }],
  ])("by a user %s", async (_, given) => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"], ...given });
    await compare({ userId }, (await makeSession(tenant, userId)).headers);
  });
});
