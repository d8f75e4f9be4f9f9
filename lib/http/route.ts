import { setImmediate as nextTurn } from "node:timers/promises";
import { authenticate } from "@/lib/access/authenticate";
import {
  assertApiKeyAllowed,
  assertPasswordChanged,
  assertRights,
  assertSiteKnown,
} from "@/lib/access/authorization";
import type { Caller, Origin } from "@/lib/access/caller";
import { addressGroup, countRequest } from "@/lib/access/rate-limits";
import type { Shopper } from "@/lib/access/shopper";
import { assertSignUpOpen } from "@/lib/access/sign-up-setting";
import { policyOf } from "@/lib/access/sites";
import { bearerDeprecation } from "@/lib/protocol/deprecation";
import {
  type Endpoint,
  isRepeatable,
  type ManagementCredential,
  methodOf,
  pathOf,
} from "@/lib/protocol/endpoint";
import { invalid, type Problem } from "@/lib/protocol/errors";
import { parseJson } from "@/lib/protocol/json";
import { negotiate, requireJson } from "@/lib/protocol/negotiation";
import { readFrame, readPathParameters, readQuery, refuseIfAny } from "@/lib/protocol/parameters";
import { bodyProblems, countProblems } from "@/lib/protocol/validation";
import { answer } from "./answer";
import { checkAnnouncedLength, checkItemCount, readBody } from "./body";
import type { Context, HandlerOf } from "./context";
import { checkSameOrigin } from "./cross-origin";
import { expiryNotice } from "./expiry-notice";
import { failure } from "./failure";
import { answerOnce } from "./idempotency";
import { identifyShopper, openToPage } from "./identify-shopper";
import { originOf } from "./origin";
import { finishHere } from "./report-completion";
import { tellCaller } from "./request-caller";

export type Handler = ((request: Request) => Promise<Response>) & { endpoint: Endpoint };

/** A body that took longer than this has the caller authenticated and authorized again. */
const maxBodyMsOnOneCheck = 250;

/** Credential, site and role, in this order. Counts the request against its rate limits where `headers` can tell of them. */
async function identify(
  declared: Endpoint,
  request: Request,
  tenantId: string,
  siteId: string,
  origin: Origin,
  headers?: Record<string, string>,
): Promise<Caller | undefined> {
  if (headers && declared.addressLimit)
    Object.assign(headers, await countRequest(declared.addressLimit, addressGroup(origin.address)));
  if (declared.credentials.length === 0) {
    if (declared.needsOpenSignUp) assertSignUpOpen();
    return undefined;
  }
  const accepted = declared.credentials as readonly ManagementCredential[];
  const { caller, presented } = await authenticate(
    request.headers,
    tenantId,
    accepted,
    origin,
    declared.operation,
  );
  tellCaller(request, caller);
  if (presented.fromCookie) checkSameOrigin(request);
  if (headers) Object.assign(headers, await countCaller(declared, caller), expiryNotice(caller));
  assertSiteKnown(caller, siteId);
  assertPasswordChanged(declared, caller);
  assertRights(declared, caller);
  const policy = declared.apiKeyNeedsPolicy ? await policyOf(tenantId) : {};
  assertApiKeyAllowed(declared, caller, policy);
  if (declared.needsOpenSignUp) assertSignUpOpen();
  return caller;
}

/** The narrowest limit first: what one credential or user is refused uses up nothing of what the tenant has. */
async function countCaller(declared: Endpoint, caller: Caller): Promise<Record<string, string>> {
  const { kind, credentialId, tenantId, userId } = caller;
  const own = declared.profile === "metrics" ? "metrics" : kind === "apiKey" ? "key" : "session";
  const headers = await countRequest(own, credentialId);
  await countRequest("user", `${tenantId} ${userId}`);
  if (declared.tenantLimit) await countRequest(declared.tenantLimit, tenantId);
  if (kind === "apiKey") await countRequest("tenant-keys", tenantId);
  await countRequest("tenant", tenantId);
  return headers;
}

/** Who repeats a request: a member of staff, a customer or somebody with an anonymous token. */
function repeaterOf(caller: Caller | Shopper): string {
  if ("userId" in caller) return caller.userId;
  return "customerId" in caller ? String(caller.customerId) : caller.anonymousId;
}

const emptyBody = (stands?: boolean) =>
  stands ? new TextEncoder().encode("{}") : new Uint8Array();
const hasNoBody = (headers: Headers) =>
  headers.get("transfer-encoding") === null && Number(headers.get("content-length") ?? 0) === 0;

/** A larger body is parsed and validated in two turns of the event loop. */
const largeBytes = 64 * 1024;

/** Parses the body by the declared schema; problems of the query are told together with those of the body. */
async function parseBody(
  declared: Endpoint,
  bytes: Uint8Array,
  problems: Problem[],
): Promise<unknown> {
  if (!declared.body) return undefined;
  const value = parseJson(bytes);
  checkItemCount(declared, value);
  if (bytes.length > largeBytes) await nextTurn();
  const parsed = declared.body.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(
    [...problems, ...bodyProblems(parsed.error, value)],
    undefined,
    problems.length + countProblems(parsed.error.issues),
  );
}

/**
 * Binds a declared operation to its handler: a pure function from a web Request to a Response that makes every check
 * in the contract's order. The only place that catches.
 */
export function route<Declared extends Endpoint>(
  declared: Declared,
  handle: HandlerOf<Declared>,
): Handler {
  const template = pathOf(declared);
  const call = handle as (context: Context) => Promise<unknown>;

  async function run(
    request: Request,
    origin: Origin,
    answerHeaders: Record<string, string>,
  ): Promise<Response> {
    const { headers } = request;
    if (declared.deprecatedCredential && headers.get("authorization"))
      Object.assign(answerHeaders, bearerDeprecation);
    const { pathname, search } = new URL(request.url);
    const { tenantId, siteId } = readFrame(headers, declared);
    checkAnnouncedLength(headers, declared.bodyLimit);
    const identifyBy = declared.plane === "consumer" ? identifyShopper : identify;
    let caller = await identifyBy(declared, request, tenantId, siteId, origin, answerHeaders);
    if (caller && !("userId" in caller))
      tellCaller(request, {
        kind: "customerId" in caller ? "customer" : "anonymous",
        credentialId: "",
        userId: "",
      });
    const format = negotiate(headers.get("accept"), declared.produces);
    const isBodyless = declared.isBodyOptional && hasNoBody(headers);
    if (declared.body && !isBodyless) requireJson(headers, methodOf(declared));
    const problems: Problem[] = [];
    const query = readQuery(declared.query, search, problems);
    const bodySince = performance.now();
    const bytes =
      declared.body && !isBodyless
        ? await readBody(request, declared.bodyLimit)
        : emptyBody(isBodyless);
    // A client that sends its body slowly must not keep rights that it has lost meanwhile.
    if (caller && performance.now() - bodySince > maxBodyMsOnOneCheck)
      caller = await identifyBy(declared, request, tenantId, siteId, origin);
    const body = await parseBody(declared, bytes, problems);
    refuseIfAny(problems);
    const params = readPathParameters(template, pathname);
    const context: Context = {
      caller,
      params,
      query,
      body,
      bytes,
      tenantId,
      siteId,
      origin,
      request,
      format,
      answerHeaders,
    };
    const respond = async (given: Context) => answer(declared, await call(given), given);
    if (!caller || !isRepeatable(declared) || headers.get("idempotency-key") === null)
      return respond(context);
    const repeater = repeaterOf(caller);
    const workIn = declared.worksIn ? String(Object(body)[declared.worksIn]) : tenantId;
    const site = caller.siteId ?? "";
    const asked = {
      declared,
      repeater,
      tenantId: workIn,
      siteId: site,
      request,
      bytes,
      answerHeaders,
    };
    return answerOnce(asked, (held) => respond({ ...context, caller: { ...caller, held } }));
  }

  const handler = async (request: Request) => {
    const origin = originOf(request.headers);
    const answerHeaders: Record<string, string> = { "X-Service-Request-Id": origin.requestId };
    if (declared.plane === "consumer") openToPage(request, answerHeaders);
    const startedAt = performance.now();
    let response: Response;
    try {
      response = await run(request, origin, answerHeaders);
    } catch (error) {
      response = failure(error, request, {
        profile: declared.profile,
        credentials: declared.credentials,
        requestId: origin.requestId,
        headers: answerHeaders,
      });
    }
    return finishHere(request, template, response, startedAt);
  };
  return Object.assign(handler, { endpoint: declared as Endpoint });
}
