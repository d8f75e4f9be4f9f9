import { authenticate, type Presented } from "@/lib/access/authenticate";
import { type Caller, demand, type Origin } from "@/lib/access/caller";
import { checkSameOrigin } from "@/lib/access/cross-origin";
import { answerOnce } from "@/lib/access/idempotency";
import { addressGroup, countRequest } from "@/lib/access/rate-limits";
import { answer } from "./answer";
import { checkAnnouncedLength, readBody } from "./body";
import type { Context, HandlerOf } from "./context";
import { bearerDeprecation } from "./deprecation";
import { type Endpoint, methodOf, pathOf } from "./endpoint";
import { ApiError, invalid, type Problem } from "./errors";
import { failure, requestIdOf } from "./failure";
import { parseJson } from "./json";
import { negotiate, requireJson } from "./negotiation";
import { readFrame, readPathParameters, readQuery, refuseIfAny } from "./parameters";
import { bodyProblems } from "./validation";

export type Handler = ((request: Request) => Promise<Response>) & { endpoint: Endpoint };

/** The peer that the front door saw; without the front door nobody vouches for an address. */
function originOf(headers: Headers): Origin {
  const isBehindDoor = (globalThis as { gatehouseDoor?: boolean }).gatehouseDoor === true;
  return {
    requestId: requestIdOf(headers),
    address: (isBehindDoor && headers.get("x-gatehouse-peer")) || "unknown",
    agent: (headers.get("user-agent") ?? "").slice(0, 256),
  };
}

interface Identified {
  caller: Caller | undefined;
  presented: Presented | undefined;
}

/** Credential, site and role, in this order. */
async function identify(
  declared: Endpoint,
  request: Request,
  tenantId: string,
  siteId: string | undefined,
  origin: Origin,
  headers: Record<string, string>,
): Promise<Identified> {
  if (declared.addressLimit) Object.assign(headers, await countRequest(declared.addressLimit, addressGroup(origin.address)));
  if (declared.credentials.length === 0) return { caller: undefined, presented: undefined };
  const { caller, presented } = await authenticate(request.headers, tenantId, declared.credentials, origin, declared.operation);
  if (presented.fromCookie) checkSameOrigin(request);
  Object.assign(headers, await countCaller(declared, caller));
  if (siteId !== undefined && !caller.siteIds.has(siteId))
    throw new ApiError("site.unknown", `The tenant has no site "${siteId}".`, "X-Service-Site");
  if (caller.mustChangePassword && !declared.worksBeforePasswordChange) {
    throw new ApiError("auth.password-change-required", "Change the one-time password first.", "PUT /v1/user/password");
  }
  if (declared.permission) demand(caller, declared.permission, declared.isTenantWide);
  return { caller, presented };
}

async function countCaller(declared: Endpoint, caller: Caller): Promise<Record<string, string>> {
  await countRequest("tenant", caller.tenantId);
  if (declared.profile === "metrics") return countRequest("metrics", caller.credentialId);
  return countRequest(caller.kind === "apiKey" ? "key" : "session", caller.credentialId);
}

/** Parses the body by the declared schema; problems of the query are told together with those of the body. */
function parseBody(declared: Endpoint, bytes: Uint8Array, problems: Problem[]): unknown {
  if (!declared.body) return undefined;
  const value = parseJson(bytes);
  const parsed = declared.body.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid([...problems, ...bodyProblems(parsed.error, value)]);
}

/**
 * Binds a declared operation to its handler: a pure function from a web Request to a Response that makes every check
 * in the contract's order. The only place that catches.
 */
export function route<Declared extends Endpoint>(declared: Declared, handle: HandlerOf<Declared>): Handler {
  const template = pathOf(declared);
  const call = handle as (context: Context) => Promise<unknown>;

  async function run(request: Request, origin: Origin, answerHeaders: Record<string, string>): Promise<Response> {
    const { headers } = request;
    if (declared.deprecatedCredential && headers.get("authorization")) Object.assign(answerHeaders, bearerDeprecation);
    const { pathname, search } = new URL(request.url);
    const { tenantId, siteId } = readFrame(headers, declared);
    checkAnnouncedLength(headers, declared.bodyLimit);
    const { caller } = await identify(declared, request, tenantId, siteId, origin, answerHeaders);
    const format = negotiate(headers.get("accept"), declared.produces);
    if (declared.body) requireJson(headers);
    const problems: Problem[] = [];
    const query = readQuery(declared.query, search, problems);
    const bytes = declared.body ? await readBody(request, declared.bodyLimit) : new Uint8Array();
    const body = parseBody(declared, bytes, problems);
    refuseIfAny(problems);
    const params = readPathParameters(template, pathname);
    const context: Context = { caller, params, query, body, bytes, tenantId, origin, request, format, answerHeaders };
    const respond = async () => answer(declared, await call(context), context);
    const isRepeatable = methodOf(declared) === "POST" && caller && headers.get("idempotency-key") !== null;
    return isRepeatable ? answerOnce(declared, caller, request, bytes, respond) : respond();
  }

  const handler = async (request: Request) => {
    const origin = originOf(request.headers);
    const answerHeaders: Record<string, string> = { "X-Service-Request-Id": origin.requestId };
    try {
      return await run(request, origin, answerHeaders);
    } catch (error) {
      return failure(error, request, { profile: declared.profile, requestId: origin.requestId, headers: answerHeaders });
    }
  };
  return Object.assign(handler, { endpoint: declared as Endpoint });
}
