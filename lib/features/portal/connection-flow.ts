import { authenticate } from "@/lib/access/authenticate";
import { assertPasswordChanged } from "@/lib/access/authorization";
import { assertPermission, type Caller, type Origin } from "@/lib/access/caller";
import type { Client } from "@/lib/features/connections/code-exchange";
import { SignInFailure } from "@/lib/features/connections/failure";
import { assertMayLink } from "@/lib/features/connections/identities";
import { getMetadata } from "@/lib/features/connections/provider-metadata";
import {
  type ConnectionRow,
  findConnection,
  openClientSecret,
  redirectUriOf,
} from "@/lib/features/connections/rows";
import { originOf } from "@/lib/http/origin";
import { ApiError } from "@/lib/protocol/errors";
import { isSlug } from "@/lib/protocol/formats";
import { log } from "@/lib/protocol/log";
import { sealedCookie } from "./cookies";
import type { FlowIntent, SignInOutcome } from "./values";

/*
 * A sign-in at a tenant's identity provider.
 *
 *   POST /api/auth/signin/{tenant}.{connection}     ->  200 {url} of the provider, and cookies that only this browser has
 *   GET  /api/auth/callback/{tenant}.{connection}   ->  302 into the portal, or to the error page
 *
 * Linking an account and testing a connection use the same flow: the sealed cookie has the intent.
 */

export const outcomeSeconds = 5 * 60;
export const outcomePath = "/sign-in/outcome";

export interface Place {
  tenantId: string;
  connectionId: string;
}

export async function clientOf(connection: ConnectionRow): Promise<Client> {
  const clientSecret = openClientSecret(connection);
  if (clientSecret === undefined) throw new SignInFailure("secret-unreadable");
  const metadata = await getMetadata(connection.issuer);
  const { clientId } = connection;
  return { metadata, clientId, clientSecret, redirectUri: redirectUriOf(connection) };
}

/** The caller of the browser's session in the tenant. Throws 401. */
export async function callerOf(headers: Headers, tenantId: string): Promise<Caller> {
  if (!isSlug(tenantId)) throw new ApiError("auth.credentials-missing", "Sign in first.");
  const { caller } = await authenticate(new Headers({ cookie: headers.get("cookie") ?? "" }), {
    tenantId,
    accepted: ["session"],
    origin: originOf(headers),
    operation: "POST /api/auth/signin",
  });
  assertPasswordChanged({ worksBeforePasswordChange: false }, caller);
  return caller;
}

/** The caller whose session the flow belongs to; undefined for a sign-in. Throws the errors of an operation with the same requirements. */
export async function actorOf(intent: FlowIntent, headers: Headers, tenantId: string) {
  if (intent === "sign-in" || intent === "accept") return undefined;
  const caller = await callerOf(headers, tenantId);
  if (intent === "try") assertPermission(caller, "tenant.manage", true);
  else if (intent === "link") assertMayLink(caller);
  return caller;
}

/** Throws SignInFailure for a connection that cannot be used to sign in. */
export async function getUsable(place: Place, intent: FlowIntent): Promise<ConnectionRow> {
  const connection = await findConnection(place);
  if (!connection || !(connection.isEnabled || intent === "try"))
    throw new SignInFailure("disabled");
  return connection;
}

export interface Failed {
  place: Place;
  intent: FlowIntent;
  origin: Origin;
  name?: string | undefined;
}

/** The cookie with the failure for the error page; the log has the same under the request id. */
export async function failureCookie(error: unknown, { place, intent, origin, name = "" }: Failed) {
  const failure =
    error instanceof SignInFailure ? error : new SignInFailure("failed", undefined, error);
  const { kind, value } = failure;
  const { requestId } = origin;
  const said = { err: failure.cause, kind, value, ...place, intent, requestId };
  if (kind === "failed") log().error(said, "a sign-in at an identity provider failed");
  else log().info(said, "a sign-in at an identity provider was rejected");
  const outcome: SignInOutcome = {
    is: "failure",
    kind,
    value,
    intent,
    name,
    requestId,
    tenant: place.tenantId,
  };
  return sealedCookie("outcome", outcome, outcomeSeconds);
}
