import { cookies, headers } from "next/headers";
import type { Origin } from "@/lib/access/caller";
import { portalCookieName } from "@/lib/access/portal-cookie";
import { countAddressRequest } from "@/lib/access/rate-limits";
import { loginByPasskey, passkeyFailed } from "@/lib/features/sessions/passkey-login";
import { PasskeyLogin } from "@/lib/features/sessions/steps-contract";
import { originOf } from "@/lib/http/origin";
import { ApiError, isRejection } from "@/lib/protocol/errors";
import { isSlug } from "@/lib/protocol/formats";
import { isCookieSecure } from "./cookies";
import { parsed } from "./values";

/*
 * The challenge of a sign-in that waits for a code. next-auth passes the details of a rejection in the query of a URL,
 * which browsers store and proxies log: so the challenge is in an HttpOnly cookie.
 *
 * Separate from the other cookies: the server reads those before Next is loaded, and "next/headers" cannot be loaded then.
 */

const livesSeconds = 300;
const cookieName = () => `${portalCookieName()}-challenge`;

/** Stores the challenge of a rejection that has one, for the code that follows. */
export async function keepChallenge(error: unknown): Promise<void> {
  if (!isRejection(error) || error.code !== "auth.second-factor-required") return;
  const options = { httpOnly: true, sameSite: "lax", path: "/", secure: isCookieSecure() } as const;
  (await cookies()).set(cookieName(), error.reason ?? "", { ...options, maxAge: livesSeconds });
}

/** The stored challenge of this browser; undefined once it has expired or was used to sign in. */
export const keptChallenge = async (): Promise<string | undefined> =>
  (await cookies()).get(cookieName())?.value;

export async function forgetChallenge(): Promise<void> {
  const options = { path: "/", secure: isCookieSecure() };
  (await cookies()).set(cookieName(), "", { ...options, maxAge: 0 });
}

/** The error that passes a rejection to the sign-in form: next-auth only transports its message. */
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

/** The `authorize` callback of next-auth; the form receives the reason of a rejection. */
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
