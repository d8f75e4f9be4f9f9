import { authenticateShopper } from "@/lib/access/authenticate-shopper";
import { assertRegistrationOpen } from "@/lib/access/authorization";
import { countRequest } from "@/lib/access/rate-limits";
import type { Shopper, SignedInShopper } from "@/lib/access/shopper";
import { sitesOf } from "@/lib/access/sites";
import type { ConsumerCredential } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";
import { isOriginAllowed, originNotAllowed, readableBy } from "./cors";
import { countAddress, type FramedRequest, type IdentifyOptions } from "./identify";
import { type RequestContext, removeResponseHeaders, setResponseHeaders } from "./request-context";

/** Whether pages of shops may call what is at this path, if there is anything. */
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

/** Checks token, site, origin and whether the shop is open to it, in this order. */
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
