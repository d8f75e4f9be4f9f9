import { countAddressRequest } from "@/lib/access/rate-limits";
import { SignInFailure } from "@/lib/features/connections/failure";
import { signOutAddressOf } from "@/lib/features/connections/sign-out-there";
import { jsonResponse } from "@/lib/http/browser-responses";
import { checkSameOrigin } from "@/lib/http/cross-origin";
import { errorResponse } from "@/lib/http/error-response";
import { originOf } from "@/lib/http/origin";
import { isRejection } from "@/lib/protocol/errors";
import { callerOf, failureCookie, outcomePath, type Place } from "./connection-flow";

/**
 * Answers where a browser goes that signs out at the provider too: the provider, or the page that says that it could not. The session
 * here is ended by the portal, whatever becomes of the one there.
 */
export async function leave(request: Request, place: Place): Promise<Response> {
  const origin = originOf(request.headers);
  try {
    checkSameOrigin(request);
    await countAddressRequest("login", origin.address);
    const caller = await callerOf(request.headers, place.tenantId);
    return jsonResponse({ url: await signOutAddressOf(caller, place.connectionId) });
  } catch (error) {
    if (isRejection(error)) return errorResponse(error, request);
    const failure = new SignInFailure("still-signed-in", undefined, error);
    const cookie = await failureCookie(failure, { place, intent: "sign-in", origin });
    return jsonResponse({ url: outcomePath }, [cookie]);
  }
}
