import { authenticate } from "@/lib/access/authenticate";
import { authenticateShopper } from "@/lib/access/authenticate-shopper";
import {
  assertApiKeyAllowed,
  assertOffered,
  assertPasswordChanged,
  assertRegistrationOpen,
  assertRights,
  assertSiteKnown,
} from "@/lib/access/authorization";
import type { Caller, Shopper, SignedInShopper } from "@/lib/access/caller";
import { assertKeyRate } from "@/lib/access/key-rates";
import { authenticateShare, findShareToken, type ShareVisitor } from "@/lib/access/preview-shares";
import { countAddressRequest, countRequest } from "@/lib/access/rate-limits";
import { policyOf, sitesOf } from "@/lib/access/sites";
import { assertSteppedUp } from "@/lib/access/step-up";
import type { ConsumerCredential, Endpoint, ManagementCredential } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";
import { isOriginAllowed, originNotAllowed, readableBy } from "./cors";
import { checkSameOrigin } from "./origin";
import { type RequestContext, removeResponseHeaders, setResponseHeaders } from "./request-context";

/** A request with its tenant and site headers read. */
export interface FramedRequest {
  declared: Endpoint;
  request: Request;
  context: RequestContext;
  tenantId: string;
  /** "" where the operation needs none. */
  siteId: string;
}

export interface IdentifyOptions {
  /** Counts the request against its rate limits and sets the response's rate limit headers. */
  isCounted: boolean;
}

/** The narrowest limit first: a request rejected for one credential or user does not count for the tenant. */
async function countCaller(declared: Endpoint, caller: Caller): Promise<Record<string, string>> {
  const { kind, credentialId, tenantId, userId, keyLimits } = caller;
  if (keyLimits?.rate)
    await assertKeyRate(tenantId, { apiKeyId: credentialId, rate: keyLimits.rate });
  const { limits } = declared;
  if (limits.own) {
    const headers = await countRequest(limits.own, credentialId);
    await countRequest(`tenant-${limits.own}`, tenantId);
    return headers;
  }
  const own = declared.profile === "metrics" ? "metrics" : kind === "apiKey" ? "key" : "session";
  const headers = await countRequest(own, credentialId);
  await countRequest("user", `${tenantId} ${userId}`);
  if (limits.tenant) await countRequest(limits.tenant, tenantId);
  if (kind === "apiKey") await countRequest("tenant-keys", tenantId);
  await countRequest("tenant", tenantId);
  return headers;
}

/** Counts the request against the operation's limit for each address. */
export async function countAddress({ declared, context }: FramedRequest): Promise<void> {
  const limit = declared.limits.address;
  if (!limit) return;
  const { address } = context.origin;
  setResponseHeaders(context, await countAddressRequest(limit, address));
}

/** A visitor with a share of one configuration. Its rights are those of the share's author. */
async function identifyVisitor(
  { context, tenantId, siteId }: FramedRequest,
  token: string,
  isCounted: boolean,
): Promise<ShareVisitor> {
  const visitor = await authenticateShare(token, { tenantId, siteId }, context.origin);
  if (!isCounted) return visitor;
  setResponseHeaders(context, await countRequest("preview-share", visitor.shareId));
  await countRequest("tenant", tenantId);
  return visitor;
}

/** Checks credential, site and role, in this order. */
export async function identify(
  framed: FramedRequest,
  { isCounted }: IdentifyOptions,
): Promise<Caller | ShareVisitor | undefined> {
  const { declared, request, context, tenantId, siteId } = framed;
  if (isCounted) await countAddress(framed);
  if (declared.credentials.length === 0) {
    assertOffered(declared);
    return undefined;
  }
  const share = declared.credentials.includes("share")
    ? findShareToken(request.headers)
    : undefined;
  if (share !== undefined) return identifyVisitor(framed, share, isCounted);
  const { caller, presented } = await authenticate(request.headers, {
    tenantId,
    accepted: declared.credentials as readonly ManagementCredential[],
    sessionOnly: declared.keyRule?.noneBecause,
    origin: context.origin,
    operation: declared.operation,
  });
  context.caller = caller;
  if (presented.fromCookie) checkSameOrigin(request);
  if (isCounted) {
    setResponseHeaders(context, await countCaller(declared, caller));
    setResponseHeaders(context, expiryNotice(caller));
  }
  assertSiteKnown(caller, siteId);
  assertPasswordChanged(declared, caller);
  assertRights(declared, caller);
  const policy = declared.keyRule?.policy ? await policyOf(tenantId) : {};
  assertApiKeyAllowed(declared, caller, policy);
  assertOffered(declared);
  if (declared.stepUp) await assertSteppedUp(caller, declared.stepUp);
  return caller;
}

const noticeMilliseconds = 14 * 86_400_000;

/** From 14 days before an API key expires, every response to it has its expiry. */
function expiryNotice({
  kind,
  expiresAt,
}: Pick<Caller, "kind" | "expiresAt">): Record<string, string> {
  const isNear = kind === "apiKey" && expiresAt.getTime() - Date.now() < noticeMilliseconds;
  return isNear ? { "X-Service-API-Key-Expires": expiresAt.toISOString() } : {};
}

/** Whether pages of shops may call an operation at this path. */
export const isForPages = (path: string): boolean => path.startsWith("/v1/customer/");

/** Lets the page that sent the request read the response, until the site's list of origins is known to exclude it. */
export function openToPage(request: Request, context: RequestContext): void {
  const from = request.headers.get("origin");
  if (from) setResponseHeaders(context, readableBy(from));
}

const isSignedIn = (shopper: Shopper): shopper is SignedInShopper => "customerId" in shopper;

async function authenticateAccepted(framed: FramedRequest, accepted: ConsumerCredential) {
  const { request, context, tenantId, siteId } = framed;
  const { origin } = context;
  return authenticateShopper(request.headers, { tenantId, siteId, accepted, origin });
}

/** Checks token, site, origin and whether the shop is open for registration, in this order. */
export async function identifyShopper(
  framed: FramedRequest,
  { isCounted }: IdentifyOptions,
): Promise<Shopper | SignedInShopper | undefined> {
  const { declared, request, context, tenantId, siteId } = framed;
  const from = request.headers.get("origin");
  const isAllowed = !from || (await isOriginAllowed(from, tenantId, siteId));
  if (!isAllowed && isCounted) removeResponseHeaders(context, Object.keys(readableBy(from)));
  if (isCounted) await countAddress(framed);
  const [accepted] = declared.credentials as readonly ConsumerCredential[];
  const shopper = accepted && (await authenticateAccepted(framed, accepted));
  if (isCounted && shopper && isSignedIn(shopper))
    setResponseHeaders(context, await countRequest("session", shopper.familyRef));
  const isCheckedLater = !accepted && declared.body !== undefined;
  if (!isCheckedLater && !(await sitesOf(tenantId)).has(siteId))
    throw new ApiError("site.unknown", `The tenant has no site "${siteId}".`, "X-Service-Site");
  if (!isAllowed) throw originNotAllowed(from);
  if (declared.requires.includes("open-registration")) await assertRegistrationOpen(tenantId);
  if (shopper)
    context.caller = {
      kind: isSignedIn(shopper) ? "customer" : "anonymous",
      credentialId: "",
      userId: "",
    };
  return shopper;
}
