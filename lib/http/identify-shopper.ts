import { authenticateShopper } from "@/lib/access/authenticate-shopper";
import { assertRegistrationOpen } from "@/lib/access/authorization";
import type { Origin } from "@/lib/access/caller";
import { addressGroup, countRequest } from "@/lib/access/rate-limits";
import type { Shopper, SignedInShopper } from "@/lib/access/shopper";
import { sitesOf } from "@/lib/access/sites";
import type { ConsumerCredential, Endpoint } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";
import { isOriginAllowed, originNotAllowed, readableBy } from "./cors";

type Headers = Record<string, string>;

/** Whether pages of shops may call what is at this address, if there is anything. */
export const isForPages = (path: string): boolean => path.startsWith("/v1/customer/");

/** Until the site's list says otherwise a page may read the answer: what comes before that tells of its own request only. */
export function openToPage(request: Request, headers: Headers): void {
  const from = request.headers.get("origin");
  if (from) Object.assign(headers, readableBy(from));
}

/** True when the page that asks may do so. Takes back what `openToPage` gave when not. */
async function judgeOrigin(
  from: string | null,
  tenantId: string,
  siteId: string,
  headers: Headers,
): Promise<boolean> {
  if (!from || (await isOriginAllowed(from, tenantId, siteId))) return true;
  for (const name of Object.keys(readableBy(from))) delete headers[name];
  return false;
}

const isSignedIn = (shopper: Shopper): shopper is SignedInShopper => "customerId" in shopper;

/** Token, site, origin and whether the shop is open to it, in this order. Counts the request against its rate limits where `headers` can tell of them. */
export async function identifyShopper(
  declared: Endpoint,
  request: Request,
  tenantId: string,
  siteId: string,
  origin: Origin,
  headers?: Headers,
): Promise<Shopper | SignedInShopper | undefined> {
  const from = request.headers.get("origin");
  const isAllowed = await judgeOrigin(from, tenantId, siteId, headers ?? {});
  if (headers && declared.addressLimit)
    Object.assign(headers, await countRequest(declared.addressLimit, addressGroup(origin.address)));
  const [accepted] = declared.credentials as readonly ConsumerCredential[];
  const shopper =
    accepted && (await authenticateShopper(request.headers, tenantId, siteId, accepted, origin));
  if (headers && shopper && isSignedIn(shopper))
    Object.assign(headers, await countRequest("session", shopper.familyRef));
  const isJudgedLater = !accepted && declared.body !== undefined;
  if (!isJudgedLater && !(await sitesOf(tenantId)).has(siteId))
    throw new ApiError("site.unknown", `The tenant has no site "${siteId}".`, "X-Service-Site");
  if (from && !isAllowed) throw originNotAllowed(from);
  if (declared.needsOpenRegistration) await assertRegistrationOpen(tenantId);
  return shopper;
}
