import { type JWTPayload, jwtVerify } from "jose";
import { isRejection } from "@/lib/protocol/errors";
import { algorithms, clockToleranceSeconds, faultOf } from "./code-exchange";
import { SignInFailure } from "./failure";
import { keyFinder, type ProviderMetadata } from "./provider-metadata";

/*
 * What a provider sends when it signs somebody out (OpenID Connect Back-Channel Logout 1.0, 2.4 to 2.6). An ID token never passes for
 * one: it has a nonce and no event.
 */

const event = "http://schemas.openid.net/event/backchannel-logout";
export const logoutTokenSeconds = 300;
const types: readonly unknown[] = [undefined, "JWT", "jwt", "logout+jwt"];

export interface LogoutToken {
  jti: string;
  sid: string | undefined;
  sub: string | undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A claim that is a text where it is there at all. */
function textOf(payload: JWTPayload, name: "jti" | "sid" | "sub"): string | undefined {
  const value = payload[name];
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value === "") throw new SignInFailure("token-invalid", name);
  return value;
}

/** Throws SignInFailure for whatever is not exactly as it has to be, and what `beforeAsking` throws. */
export async function readLogoutToken(
  token: string,
  clientId: string,
  { issuer, jwksUri }: Pick<ProviderMetadata, "issuer" | "jwksUri">,
  beforeAsking: () => Promise<unknown>,
): Promise<LogoutToken> {
  const { payload, protectedHeader } = await jwtVerify(token, keyFinder(jwksUri, beforeAsking), {
    ...{ algorithms, issuer, audience: clientId },
    ...{ clockTolerance: clockToleranceSeconds, maxTokenAge: logoutTokenSeconds },
  }).catch((error: unknown) => {
    throw isRejection(error) ? error : faultOf(error);
  });
  if (!types.includes(protectedHeader.typ)) throw new SignInFailure("token-invalid", "typ");
  const { events } = payload;
  if (!isObject(events) || !Object.hasOwn(events, event) || !isObject(events[event]))
    throw new SignInFailure("token-invalid", "events");
  if ("nonce" in payload) throw new SignInFailure("token-invalid", "nonce");
  const [jti, sid, sub] = [textOf(payload, "jti"), textOf(payload, "sid"), textOf(payload, "sub")];
  if (jti === undefined) throw new SignInFailure("token-invalid", "jti");
  if (sid === undefined && sub === undefined) throw new SignInFailure("token-invalid", "sid");
  return { jti, sid, sub };
}
