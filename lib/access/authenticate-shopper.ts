import type { ConsumerCredential } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";
import { bearerOf, challenge } from "@/lib/protocol/http-fields";
import type { Origin, Shopper, SignedInShopper } from "./caller";
import { type ConsumerToken, readConsumerToken } from "./consumer-tokens";
import { readManagementBearer } from "./management-bearer";
import { tokenStatus } from "./token-revocations";

type HeaderReader = Pick<Headers, "get">;

const invalidToken = challenge("Bearer", "invalid_token");
const words = {
  anonymous: "an anonymous token",
  customer: "the access token of a signed-in customer",
} as const;

const rejection = (
  code: "auth.credentials-invalid" | "auth.token-wrong-kind" | "auth.token-wrong-site",
  detail: string,
) => new ApiError(code, detail, "Bearer", { headers: invalidToken });

export const unknownToken = () =>
  rejection("auth.credentials-invalid", "This token is not valid in this tenant.");
export const wrongSite = () =>
  rejection("auth.token-wrong-site", "This token was made for another site.");

export function expiredToken(at: number): ApiError {
  return new ApiError(
    "auth.credentials-expired",
    "The token has expired.",
    new Date(at).toISOString(),
    { headers: invalidToken },
  );
}

export const lockedCustomer = () =>
  new ApiError("customer.locked", "This account is locked. Ask the shop.", "customer.manage");

/** The only bearer token of a request. Throws 400 if the request has another credential too, 401 if it has no bearer. */
function shopperBearerOf(headers: HeaderReader, accepted: ConsumerCredential): string {
  const bearer = bearerOf(headers);
  const others = ["x-service-session-id", "x-service-api-key"].some((name) =>
    headers.get(name)?.trim(),
  );
  if (bearer !== undefined && others)
    throw new ApiError(
      "auth.ambiguous-credentials",
      "Two kinds of credential were sent. Send one of them.",
      "Bearer",
    );
  if (bearer !== undefined) return bearer;
  const code = others ? "auth.scheme-not-accepted" : "auth.credentials-missing";
  throw new ApiError(code, `Send ${words[accepted]} as a bearer.`, "Bearer", {
    headers: challenge("Bearer"),
  });
}

async function assertKind(
  token: ConsumerToken | undefined,
  bearer: string,
  tenantId: string,
  accepted: ConsumerCredential,
) {
  const isOther = token ? token.kind !== accepted : await readManagementBearer(bearer, tenantId);
  if (isOther && (!token || token.tenantId === tenantId))
    throw rejection("auth.token-wrong-kind", `This operation needs ${words[accepted]}.`);
  if (!token || token.tenantId !== tenantId) throw unknownToken();
  return token;
}

/** The request that a token is presented for. */
export interface ShopperAuthentication {
  tenantId: string;
  siteId: string;
  accepted: ConsumerCredential;
  origin: Origin;
}

/**
 * Returns the shopper of a request, or throws 401/403. Uses memory for a token that was verified before; reads the store if
 * the tenant's revocations were not read within the last second, and throws 503 if it is unavailable.
 */
export async function authenticateShopper(
  headers: HeaderReader,
  { tenantId, siteId, accepted, origin }: ShopperAuthentication,
): Promise<Shopper | SignedInShopper> {
  const bearer = shopperBearerOf(headers, accepted);
  const token = await assertKind(await readConsumerToken(bearer), bearer, tenantId, accepted);
  if (token.siteId !== siteId) throw wrongSite();
  if (token.expiresAt <= Date.now()) throw expiredToken(token.expiresAt);
  const { anonymousId, customerId, familyRef } = token;
  const shopper = { tenantId, siteId, anonymousId, ...origin };
  if (accepted === "anonymous") return shopper;
  const found = await tokenStatus(tenantId, familyRef, customerId);
  if (found === "ended") throw unknownToken();
  if (found === "locked") throw lockedCustomer();
  return { ...shopper, customerId, familyRef };
}
