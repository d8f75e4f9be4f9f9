import { headers } from "next/headers";
import type { Origin } from "@/lib/access/caller";
import { countAddressRequest } from "@/lib/access/rate-limits";
import { loginByPasskey, passkeyFailed } from "@/lib/features/sessions/passkey-login";
import { PasskeyLogin } from "@/lib/features/sessions/passkey-login-contract";
import { originOf } from "@/lib/http/origin";
import { ApiError, isRejection } from "@/lib/protocol/errors";
import { isSlug } from "@/lib/protocol/formats";
import { keepChallenge } from "./challenge-cookie";
import { parsed } from "./values";

/** What the sign-in form reads from a rejection: next-auth carries it as the text of an error. */
function rejection(error: unknown, requestId: string): Error {
  const apiError = isRejection(error)
    ? error
    : new ApiError("server.internal-error", "Something failed on our side. Try again.");
  const retryAfter = apiError.headers["Retry-After"];
  const { code, message: detail } = apiError;
  return new Error(
    JSON.stringify({
      code,
      detail,
      requestId,
      ...(retryAfter ? { retryAfterSeconds: Number(retryAfter) } : {}),
    }),
  );
}

type Given<Name extends string> = Record<Name, string> | undefined;

/** How next-auth asks whether a sign-in is valid; the reason against it reaches the form. */
export function entering<Name extends string>(
  enter: (given: Given<Name>, origin: Origin) => Promise<{ id: string; tenant: string }>,
) {
  return async (given: Given<Name>) => {
    const origin = originOf(await headers());
    try {
      return await enter(given, origin);
    } catch (error) {
      await keepChallenge(error);
      throw rejection(error, origin.requestId);
    }
  };
}

/** POST /v1/user/passkey-login for the browser. */
export const byPasskey = entering<"tenant" | "passkey">(async (given, origin) => {
  const { tenant = "" } = given ?? {};
  await countAddressRequest("login", origin.address);
  const { data } = PasskeyLogin.safeParse({ tenant, passkey: parsed(given?.passkey) });
  if (!data || !isSlug(tenant)) throw passkeyFailed();
  const { sessionId } = await loginByPasskey(tenant, data, origin);
  return { id: sessionId, tenant };
});
