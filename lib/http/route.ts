import { setImmediate as nextTurn } from "node:timers/promises";
import { FastURL } from "srvx/node";
import type { Caller, Shopper } from "@/lib/access/caller";
import type { ShareVisitor } from "@/lib/access/preview-shares";
import { type Endpoint, isRepeatable, isStreamed, methodOf, pathOf } from "@/lib/protocol/endpoint";
import { invalid, type Problem } from "@/lib/protocol/errors";
import { parseForm } from "@/lib/protocol/form";
import {
  bearerDeprecation,
  bearerOf,
  negotiate,
  rejectPartialPut,
  requireMediaType,
} from "@/lib/protocol/http-fields";
import { parseJson } from "@/lib/protocol/json";
import { readFrame, readPathParameters, readQuery, rejectIfAny } from "@/lib/protocol/parameters";
import { traced } from "@/lib/protocol/tracing";
import { checkBody } from "@/lib/protocol/validation";
import { answer, assertNoTagNamed } from "./answer";
import { checkAnnouncedLength, checkItemCount, readBody } from "./body";
import type { Context, HandlerOf } from "./context";
import { errorResponse } from "./error-response";
import { answerOnce } from "./idempotency";
import { type FramedRequest, identify, identifyShopper, openToPage } from "./identify";
import {
  type RequestContext,
  type Respond,
  setResponseHeaders,
  withRequestContext,
} from "./request-context";
import { TenantTurn } from "./tenant-turn";

export type Handler = Respond & { endpoint: Endpoint };

/** If the body took longer than this, the caller is authenticated and authorized again. */
const maxBodyMsOnOneCheck = 250;

/** The caller for idempotency: a user, a customer, the holder of an anonymous token or of a share. */
function callerIdOf(caller: Caller | Shopper | ShareVisitor): string {
  if ("userId" in caller) return caller.userId;
  if ("shareId" in caller) return caller.shareId;
  return "customerId" in caller ? String(caller.customerId) : caller.anonymousId;
}

const isInChunks = (headers: Headers) => headers.get("transfer-encoding") !== null;
const hasNoBody = (headers: Headers) =>
  !isInChunks(headers) && Number(headers.get("content-length") ?? 0) === 0;

/** A larger body is parsed and validated in two turns of the event loop. */
const largeBytes = 64 * 1024;

/** Parses the body by the declared schema; reports problems of the query together with those of the body. */
async function parseBody(
  declared: Endpoint,
  bytes: Uint8Array,
  problems: Problem[],
): Promise<unknown> {
  if (!declared.body || isStreamed(declared)) return undefined;
  const value = declared.consumes === "application/json" ? parseJson(bytes) : parseForm(bytes);
  checkItemCount(declared, value);
  if (bytes.length > largeBytes) await nextTurn();
  const checked = checkBody(declared.body, value);
  if (!checked.problems) return checked.value;
  throw invalid([...problems, ...checked.problems], undefined, problems.length + checked.total);
}

function frame(declared: Endpoint, request: Request, context: RequestContext): FramedRequest {
  const { headers } = request;
  if (declared.deprecatedCredential && bearerOf(headers) !== undefined)
    setResponseHeaders(context, bearerDeprecation);
  const { tenantId, siteId } = readFrame(headers, declared);
  checkAnnouncedLength(headers, declared.limits.body);
  return { declared, request, context, tenantId, siteId };
}

/**
 * The bytes of the body: none if none is declared, `{}` if an optional one is missing. A chunked body is known to be empty only at
 * its end, so its media type is checked after it.
 */
async function receiveBody({ declared, request }: FramedRequest, mayBeLeftOut: boolean) {
  if (!declared.body || isStreamed(declared)) return new Uint8Array();
  const { headers } = request;
  if (mayBeLeftOut && hasNoBody(headers)) return new TextEncoder().encode("{}");
  const bytes = await readBody(request, declared.limits.body);
  if (!mayBeLeftOut) return bytes;
  if (bytes.length === 0) return new TextEncoder().encode("{}");
  requireMediaType(headers, declared.consumes, methodOf(declared));
  return bytes;
}

/** Makes every check in the contract's order and returns the handler's argument. */
async function check(framed: FramedRequest, turn: TenantTurn | undefined): Promise<Context> {
  const { declared, request, context, tenantId, siteId } = framed;
  const { origin, responseHeaders } = context;
  const { headers } = request;
  const { pathname, search } = new FastURL(request.url);
  const identifyBy = declared.plane === "consumer" ? identifyShopper : identify;
  let caller = await traced<Awaited<ReturnType<typeof identifyBy>>>("check the credential", () =>
    identifyBy(framed, { isCounted: true }),
  );
  const format = negotiate(headers.get("accept"), declared.produces);
  const mayBeLeftOut =
    declared.isBodyOptional === true && (hasNoBody(headers) || isInChunks(headers));
  if (declared.body && !mayBeLeftOut)
    requireMediaType(headers, declared.consumes, methodOf(declared));
  rejectPartialPut(headers, methodOf(declared));
  const problems: Problem[] = [];
  const params = readPathParameters(pathOf(declared), pathname, problems);
  const query = readQuery(declared.query, search, problems);
  const bodySince = performance.now();
  await turn?.join(tenantId);
  const bytes = await receiveBody(framed, mayBeLeftOut);
  await turn?.start();
  // A client that sends its body slowly must not use rights that it has lost in the meantime.
  if (caller && performance.now() - bodySince > maxBodyMsOnOneCheck)
    caller = await identifyBy(framed, { isCounted: false });
  const body = await parseBody(declared, bytes, problems);
  rejectIfAny(problems);
  assertNoTagNamed(declared, headers);
  // Written out: a spread of an object followed by more properties takes several microseconds.
  return {
    params,
    query,
    body,
    bytes,
    request,
    format,
    caller,
    tenantId,
    siteId,
    origin,
    responseHeaders,
    identifyAgain: () => identifyBy(framed, { isCounted: false }),
  };
}

/** Calls the handler, once for each Idempotency-Key if the operation supports it. */
async function call(
  declared: Endpoint,
  handle: (context: Context) => Promise<unknown>,
  context: Context,
): Promise<Response> {
  const { caller, body, bytes, tenantId, request, responseHeaders } = context;
  const respond = async (given: Context) => answer(declared, await handle(given), given);
  if (!caller || !isRepeatable(declared) || request.headers.get("idempotency-key") === null)
    return respond(context);
  const idempotent = {
    declared,
    callerId: callerIdOf(caller),
    tenantId: declared.replay?.worksIn ? String(Object(body)[declared.replay.worksIn]) : tenantId,
    siteId: caller.siteId ?? "",
    request,
    bytes,
    responseHeaders,
  };
  return answerOnce(idempotent, (held) => respond({ ...context, caller: { ...caller, held } }));
}

/**
 * Binds a declared operation to its handler: a function from a web Request to a Response that makes every check
 * in the contract's order. The only place that catches errors.
 */
export function route<Declared extends Endpoint>(
  declared: Declared,
  handle: HandlerOf<Declared>,
): Handler {
  const respond = async (request: Request, context: RequestContext) => {
    if (declared.plane === "consumer") openToPage(request, context);
    const turn = declared.limits.isOneAtATime ? new TenantTurn() : undefined;
    try {
      const checked = await check(frame(declared, request, context), turn);
      return await call(declared, handle as (context: Context) => Promise<unknown>, checked);
    } catch (error) {
      return errorResponse(error, request, context, declared);
    } finally {
      turn?.leave();
    }
  };
  return Object.assign(withRequestContext(pathOf(declared), respond), {
    endpoint: declared as Endpoint,
  });
}
