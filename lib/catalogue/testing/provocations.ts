import { randomBytes } from "node:crypto";
import { db } from "@/lib/database/open";
import { claimOf } from "@/lib/http/idempotency";
import { claimKey, storeResponse } from "@/lib/http/idempotent-response-rows";
import type { Credential, Endpoint } from "@/lib/protocol/endpoint";
import type { ErrorCode } from "@/lib/protocol/error-codes";
import { maxArrayItems } from "@/lib/protocol/json";
import type { IsolationWorld } from "./isolation-world";
import {
  type Headers,
  kindFor,
  type ProvokedCredential,
  type ProvokingCallers,
} from "./provoking-callers";
import type { WireRequest } from "./wire";

/** A valid request to an operation without a credential, and its allowed callers. */
export interface Probe {
  declared: Endpoint;
  request: WireRequest;
  callers: ProvokingCallers;
  world: IsolationWorld;
}

/** Turns a request that would succeed into one that gets an error code. */
export type Provocation = (probe: Probe) => WireRequest | Promise<WireRequest>;

type Changes = WireRequest["headers"];
type People = {
  [Name in keyof ProvokingCallers]: ProvokingCallers[Name] extends Record<
    ProvokedCredential,
    Headers
  >
    ? Name
    : never;
}[keyof ProvokingCallers];

/** The request with a caller's credential; without a name, with that of a caller with every permission. */
function by({ declared, request, callers }: Probe, who: People = "fine"): WireRequest {
  const kind = kindFor(declared);
  const credential = kind === undefined ? {} : callers[who][kind];
  return { ...request, headers: { ...request.headers, ...credential } };
}

const withHeaders = (request: WireRequest, changes: Changes): WireRequest => ({
  ...request,
  headers: { ...request.headers, ...changes },
});
const from =
  (who: People): Provocation =>
  (probe) =>
    by(probe, who);
const changed =
  (changes: Changes): Provocation =>
  (probe) =>
    withHeaders(by(probe), changes);
const keyed =
  (pick: (keys: ProvokingCallers["keys"]) => Headers): Provocation =>
  ({ request, callers }) =>
    withHeaders(request, pick(callers.keys));
const withBody =
  (bodyOf: (declared: Endpoint) => string): Provocation =>
  (probe) => {
    const body = bodyOf(probe.declared);
    return { ...withHeaders(by(probe), { "Content-Length": String(body.length) }), body };
  };
/** With headers that announce a body that is never sent. */
const announced =
  (lengthOf: (declared: Endpoint) => number): Provocation =>
  (probe) => ({
    ...withHeaders(by(probe), { "Content-Length": String(lengthOf(probe.declared)) }),
    isUnfinished: true,
  });
const longer =
  (suffix: string): Provocation =>
  (probe) => {
    const request = by(probe);
    return { ...request, path: `${request.path}${suffix}` };
  };

const isConsumer = ({ plane }: Endpoint) => plane === "consumer";

/** A credential of a kind that the operation does not accept. */
function otherKind({ declared, callers }: Probe): Headers {
  if (isConsumer(declared)) return callers.fine.session;
  const accepts = (kind: Credential) => declared.credentials.includes(kind);
  return accepts("session")
    ? callers.fine[accepts("bearer") ? "apiKey" : "bearer"]
    : callers.fine.session;
}

/** A permission that the operation does not need, for a key that has no other one. */
function otherPermission({ permission, keyRule }: Endpoint) {
  return [permission, keyRule?.restrictedNeeds].includes("event.read") ? "user.read" : "event.read";
}

/** With a user's key that has the operation's permission. */
const withNamingKey: Provocation = async ({ request, declared: { permission }, callers }) => {
  const isNamed = permission !== undefined && permission !== "any-role";
  return withHeaders(request, await callers.keys.only(isNamed ? permission : "user.read"));
};

const tooManyItems = ({ limits: { items: limit } }: Endpoint): string => {
  const items = (count: number) => `[${"0,".repeat(count)}0]`;
  return limit ? `{"${limit.member}":${items(limit.max)}}` : items(maxArrayItems + 1);
};

/** A request with a reused Idempotency-Key: of an earlier request with another body if requested, otherwise of an answered one. */
const repeated =
  (earlier: { hasOtherBody?: true; secretId?: string }): Provocation =>
  async (probe) => {
    const { declared, callers, world } = probe;
    const key = randomBytes(12).toString("hex");
    const request = withHeaders(by(probe), { "Idempotency-Key": key });
    const claim = claimOf({
      declared,
      callerId: callers.fine.idOf[kindFor(declared) ?? "session"],
      tenantId: declared.replay?.worksIn
        ? String(JSON.parse(request.body ?? "{}")[declared.replay.worksIn])
        : world.tenant,
      siteId: "one",
      request: new Request(`http://localhost${request.path}`, {
        headers: { "Idempotency-Key": key },
      }),
      bytes: new TextEncoder().encode(request.body ?? (declared.body ? "{}" : "")),
      responseHeaders: {},
    });
    await claimKey(earlier.hasOtherBody ? { ...claim, bodyHash: randomBytes(32) } : claim);
    if (earlier.secretId) await storeResponse(db(), claim, { secretId: earlier.secretId });
    return request;
  };

const needed =
  (name: string, other: string | undefined): Provocation =>
  (probe) =>
    withHeaders(by(probe), probe.declared.scope !== "none" ? { [name]: other } : { Host: other });

/** How to provoke each code that follows from a declaration: a valid request that is wrong in one respect. */
export const provocations: Partial<Record<ErrorCode, Provocation>> = {
  "request.malformed": longer("#fragment"),
  "request.validation-failed": longer("&surplus=1"),
  "request.target-too-long": longer(`&surplus=${"x".repeat(9000)}`),
  "request.headers-too-large": changed({ "X-Filler": "x".repeat(17_000) }),
  "request.duplicate-header": changed({ "X-Service-Tenant": ["a", "b"] }),
  "request.expectation-failed": changed({ Expect: "something" }),
  "request.header-missing": needed("X-Service-Tenant", undefined),
  "request.header-invalid": needed("X-Service-Tenant", "No slug"),
  "site.unknown": (probe) =>
    withHeaders(by(probe, isConsumer(probe.declared) ? "atUnknownSite" : "fine"), {
      "X-Service-Site": "nowhere",
    }),
  "origin.not-allowed": changed({ Origin: "https://elsewhere.example" }),
  "user.locked": from("locked"),
  "user.deactivated": from("deactivated"),
  "customer.locked": from("locked"),
  "auth.credentials-missing": ({ request }) => request,
  "auth.credentials-invalid": from("nobody"),
  "auth.scheme-not-accepted": (probe) => withHeaders(probe.request, otherKind(probe)),
  "auth.ambiguous-credentials": (probe) => {
    const { fine } = probe.callers;
    const other = kindFor(probe.declared) === "apiKey" ? fine.session : fine.apiKey;
    return withHeaders(by(probe), other);
  },
  "auth.credentials-expired": from("expired"),
  "auth.token-wrong-kind": (probe) => {
    const kind = kindFor(probe.declared) === "customer" ? "anonymous" : "customer";
    return withHeaders(probe.request, probe.callers.fine[kind]);
  },
  "auth.token-wrong-site": from("atOtherSite"),
  "auth.api-key-suspended": keyed(({ suspended }) => suspended),
  "auth.address-not-allowed": keyed(({ elsewhere }) => elsewhere),
  "rate-limit.api-key-exceeded": keyed(({ usedUp }) => usedUp),
  "auth.api-key-restricted": async ({ request, declared, callers }) =>
    withHeaders(request, await callers.keys.only(otherPermission(declared))),
  "auth.api-key-unrestricted": keyed(({ unrestricted }) => unrestricted),
  "auth.api-key-of-person": withNamingKey,
  "customer.password-token-session-only": withNamingKey,
  "request.cross-origin": ({ request, callers }) =>
    withHeaders(request, { ...callers.cookie, "Sec-Fetch-Site": "cross-site" }),
  "auth.password-change-required": from("withOneTimePassword"),
  "user.no-role": from("systemWithoutRole"),
  "auth.step-up-required": from("provenLongAgo"),
  "auth.permission-missing": from("withoutRole"),
  "request.not-acceptable": changed({ Accept: "image/png" }),
  "request.accept-not-supported": changed({ Accept: "image/png" }),
  "request.body-too-large": announced(({ limits }) => limits.body + 1),
  "request.body-timed-out": announced(() => 10),
  "request.too-many-items": withBody(tooManyItems),
  "request.unsupported-media-type": (probe) =>
    withHeaders(by(probe), { "Content-Type": "text/plain" }),
  "request.invalid-json": withBody(() => "{"),
  "request.invalid-form": withBody(() => "%"),
  "precondition.invalid": changed({ "If-Match": "unquoted" }),
  "precondition.failed": changed({ "If-Match": '"other"' }),
  "precondition.required": changed({ "If-Match": undefined }),
  "idempotency.key-invalid": changed({ "Idempotency-Key": "not a key" }),
  "idempotency.in-flight": repeated({}),
  "idempotency.key-reused": repeated({ hasOtherBody: true }),
  "idempotency.secret-not-replayable": repeated({ secretId: "an id" }),
  // Where the tenant or the setting has disabled it.
  "signup.closed": from("fine"),
  "mail.off": from("fine"),
  "customer.registration-closed": from("fine"),
  // From an address that sent too many requests without a valid credential.
  "rate-limit.exceeded": ({ request }) => request,
};
