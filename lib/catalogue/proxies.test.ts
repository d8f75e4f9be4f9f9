import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueShareToken } from "@/lib/access/preview-shares";
import { testServer } from "@/lib/http/testing/test-server";
import { checkErrors } from "@/lib/protocol/declared-errors";
import { methodOf } from "@/lib/protocol/endpoint";
import { type NamedOperation, namedOperations } from "./operations";
import { type IsolationWorld, makeIsolationWorld } from "./testing/isolation-world";
import { provocations } from "./testing/provocations";
import { type Headers, type ProvokingCallers, provokingCallers } from "./testing/provoking-callers";
import { type ValidRequest, validRequests } from "./testing/valid-requests";
import { sendWire, type WireRequest } from "./testing/wire";

/** Every operation, called through a proxy. */

const send = testServer();
let world: IsolationWorld;
let callers: ProvokingCallers;
let validRequest: ValidRequest;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  world = await makeIsolationWorld(send);
  callers = await provokingCallers(world);
  validRequest = await validRequests(send, world, callers);
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
});

const basic = { Authorization: "Basic c3RhZ2luZzpzZWNyZXQ=" };
const otherSchemes = [basic, { Authorization: 'Digest username="x", realm="y"' }].concat([
  { Authorization: "Negotiate YIIJ" },
  { Authorization: "NTLM" },
]);

/** Every credential that an operation accepts outside the Authorization header. */
function credentialsOf({ declared: { credentials } }: NamedOperation): Record<string, Headers> {
  const { fine, cookie } = callers;
  const share = () => {
    const validTo = new Date(Date.now() + 3_600_000);
    const { shareId } = world;
    const state = { shareId, validTo } as Parameters<typeof issueShareToken>[1];
    return { "X-Service-Preview-Share": issueShareToken(world.tenant, state).accessToken };
  };
  const accepts = (kind: (typeof credentials)[number]) => credentials.includes(kind);
  return {
    ...(accepts("session") && {
      session: fine.session,
      cookie: { ...cookie, "Sec-Fetch-Site": "same-origin" },
    }),
    ...(accepts("apiKey") && { apiKey: fine.apiKey }),
    ...(accepts("share") && { share: share() }),
    ...(credentials.length === 0 && { none: {} }),
  };
}

async function answerTo(request: WireRequest, more: Headers) {
  const { status, code, headers } = await sendWire(send.url(), {
    ...request,
    headers: { ...request.headers, ...more },
  });
  return { status, code, challenge: headers["www-authenticate"] };
}

describe("another scheme in Authorization, as passed on by a proxy with password authentication", () => {
  test("is ignored together with every credential of every operation", async () => {
    const faults: string[] = [];
    for (const operation of namedOperations) {
      const request = validRequest(operation);
      // Rejected after authentication, for its query or as a user's key: no operation is executed.
      const surplus = { ...request, path: `${request.path}&surplus=1` };
      for (const [kind, credential] of Object.entries(credentialsOf(operation))) {
        const right = await answerTo(surplus, credential);
        const answer = await answerTo(surplus, { ...credential, ...basic });
        if (![400, 403].includes(right.status) || JSON.stringify(answer) !== JSON.stringify(right))
          faults.push(`${operation.declared.operation} ${kind}: ${right.code}, ${answer.code}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test("by itself is not a credential: 401 with the challenge of this service", async () => {
    const faults: string[] = [];
    const protectedOnes = namedOperations.filter(({ declared }) => declared.credentials.length > 0);
    for (const operation of protectedOnes) {
      const request = validRequest(operation);
      const missing = await answerTo(request, {});
      for (const scheme of otherSchemes) {
        const answer = await answerTo(request, scheme);
        if (missing.status !== 401 || JSON.stringify(answer) !== JSON.stringify(missing))
          faults.push(`${operation.declared.operation} ${scheme.Authorization}: ${answer.code}`);
      }
    }
    expect(faults).toEqual([]);
  });
});

/** The response of an operation to an If-Match with another ETag than the resource's. */
async function answerToTag(operation: NamedOperation, tag: string) {
  const { declared } = operation;
  const request = validRequest(operation);
  const sent = await provocations["precondition.failed"]?.({ declared, request, callers, world });
  const headers = { ...sent?.headers, "If-Match": tag };
  return sendWire(send.url(), { ...request, ...sent, headers });
}

describe("the weak form of the current ETag, as a compressing proxy creates it", () => {
  test("gets 412 from every operation with If-Match, and the detail explains it", async () => {
    const faults: string[] = [];
    const tagged: string[] = [];
    for (const operation of namedOperations) {
      if (!checkErrors(operation.declared).includes("precondition.failed")) continue;
      const { headers, detail } = await answerToTag(operation, '"other"');
      if (!headers.etag) continue;
      const name = operation.declared.operation;
      tagged.push(name);
      if (!headers["cache-control"]?.includes("no-transform")) faults.push(`${name}: transformed`);
      if (!detail?.includes("changed since you read it")) faults.push(`${name}: ${detail}`);
      const weak = await answerToTag(operation, `"x", W/${headers.etag}`);
      if (weak.status !== 412 || !weak.detail?.includes("A proxy compressed the answer"))
        faults.push(`${name}: ${weak.status} ${weak.detail}`);
    }
    expect(faults).toEqual([]);
    const writes = namedOperations
      .filter(({ declared }) => declared.conditional && methodOf(declared) !== "GET")
      .map(({ declared }) => declared.operation);
    expect(tagged).toEqual(expect.arrayContaining(writes));
  });
});
