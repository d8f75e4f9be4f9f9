import type { Caller } from "@/lib/access/caller";
import { transaction } from "@/lib/database/open";
import { findSessionRow } from "@/lib/features/sessions/rows";
import { SignInFailure } from "./failure";
import { getMetadata, type ProviderMetadata } from "./provider-metadata";
import {
  type ConnectionRow,
  findConnection,
  postLogoutRedirectUri,
  providerIdOf,
  setConnection,
} from "./rows";

/*
 * Optional sign-out at the provider (OpenID Connect RP-Initiated Logout 1.0). The ID token is not stored for it, because it contains
 * personal data and would be worth stealing. Without it the provider asks the user for confirmation, which is acceptable.
 */

async function connectionOf({ tenantId, credentialId }: Caller) {
  const connectionId = (await findSessionRow(tenantId, credentialId))?.connectionId;
  return connectionId ? findConnection({ tenantId, connectionId }) : undefined;
}

/** The provider of the session, if it supports sign-out. */
export async function signOutProviderOf(
  caller: Caller,
): Promise<{ id: string; name: string } | undefined> {
  if (/^password\b/.test(caller.authenticatedBy ?? "password")) return undefined;
  const connection = await connectionOf(caller);
  return connection?.offersSignOut
    ? { id: providerIdOf(connection), name: connection.name }
    : undefined;
}

/** The sign-out URL at the provider. Throws SignInFailure if there is none. */
export async function signOutAddressOf(caller: Caller, connectionId: string): Promise<string> {
  const connection = await connectionOf(caller);
  if (connection?.connectionId !== connectionId) throw new SignInFailure("still-signed-in");
  const { endSessionEndpoint } = await getMetadata(connection.issuer);
  if (endSessionEndpoint === undefined) throw new SignInFailure("still-signed-in");
  const url = new URL(endSessionEndpoint);
  url.searchParams.set("client_id", connection.clientId);
  url.searchParams.set("post_logout_redirect_uri", postLogoutRedirectUri());
  return url.href;
}

/** Stores after a sign-in whether the provider supports it, so that pages need no request to the provider. */
export async function noteOffer(
  connection: ConnectionRow,
  { endSessionEndpoint }: ProviderMetadata,
): Promise<void> {
  const offersSignOut = endSessionEndpoint !== undefined;
  if (connection.offersSignOut === offersSignOut) return;
  await transaction((tx) => setConnection(tx, connection, { offersSignOut }));
}
