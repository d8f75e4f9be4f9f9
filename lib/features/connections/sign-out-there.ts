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
 * Sign-out at the provider, as a choice (OpenID Connect RP-Initiated Logout 1.0). The ID token is not kept for it: it says who the
 * person is, and would be worth stealing. Without it the provider asks the person whether to sign out, which is as well.
 */

async function connectionOf({ tenantId, credentialId }: Caller) {
  const connectionId = (await findSessionRow(tenantId, credentialId))?.connectionId;
  return connectionId ? findConnection({ tenantId, connectionId }) : undefined;
}

/** The provider that the session came from, where one can sign out there too. */
export async function signOutProviderOf(
  caller: Caller,
): Promise<{ id: string; name: string } | undefined> {
  if (/^password\b/.test(caller.authenticatedBy ?? "password")) return undefined;
  const connection = await connectionOf(caller);
  return connection?.offersSignOut
    ? { id: providerIdOf(connection), name: connection.name }
    : undefined;
}

/** The address at the provider where the browser signs out. Throws SignInFailure where there is none. */
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

/** Notes after a sign-in whether the provider offers it: pages show the choice without asking the provider. */
export async function noteOffer(
  connection: ConnectionRow,
  { endSessionEndpoint }: ProviderMetadata,
): Promise<void> {
  const offersSignOut = endSessionEndpoint !== undefined;
  if (connection.offersSignOut === offersSignOut) return;
  await transaction((tx) => setConnection(tx, connection, { offersSignOut }));
}
