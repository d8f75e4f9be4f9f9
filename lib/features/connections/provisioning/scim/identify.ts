import { countRequest } from "@/lib/access/rate-limits";
import { isProvisioningToken, sha256 } from "@/lib/access/secrets";
import { isTokenValid } from "@/lib/features/connections/provisioning/tokens";
import { type ConnectionRow, findConnection, providerIdOf } from "@/lib/features/connections/rows";
import { type RequestContext, setResponseHeaders } from "@/lib/http/request-context";
import { isSlug } from "@/lib/protocol/formats";
import { bearerOf, challenge } from "@/lib/protocol/http-fields";
import { publicUrl } from "@/lib/protocol/settings";
import { ScimError } from "./scim-error";
import type { Provisioner } from "./users";

/** The base URL for a provider's requests. It contains the tenant, as the redirect URI does, so no tenant header is needed. */
export const provisioningAddress = (key: Pick<ConnectionRow, "tenantId" | "connectionId">) =>
  `${publicUrl()}/scim/v2/${providerIdOf(key)}`;

const root = "/scim/v2/";

/** The connection and what follows it in the path. */
export interface Address {
  tenantId: string;
  connectionId: string;
  segments: string[];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ScimError(400, "invalidSyntax", "The path has an invalid percent-encoding.");
  }
}

/** Throws 404 for a path that is not of a connection. */
export function readAddress(pathname: string): Address {
  const [connection = "", ...rest] = pathname.slice(root.length).split("/").map(decoded);
  const [, tenantId = "", connectionId = ""] = /^([^.]+)\.(conn_\w{1,40})$/.exec(connection) ?? [];
  if (!isSlug(tenantId))
    throw new ScimError(404, undefined, "There is no connection at this address.");
  return { tenantId, connectionId, segments: rest.filter((segment) => segment !== "") };
}

/** The tenant comes from the connection: the tenant header is optional, but must not differ. */
function assertTenant(headers: Headers, { tenantId }: Address): void {
  const named = headers.get("x-service-tenant")?.trim();
  if (named !== undefined && named !== tenantId)
    throw new ScimError(400, undefined, "X-Service-Tenant is not the tenant of this connection.");
}

const unauthorized = () =>
  new ScimError(
    401,
    undefined,
    "Send the provisioning token of this connection as a bearer token.",
    challenge("Bearer", "invalid_token"),
  );

/** The connection that the token belongs to. Throws the same 401 for a wrong token, another connection's and an unknown connection. */
export async function identifyConnection(
  request: Request,
  context: RequestContext,
  address: Address,
): Promise<Provisioner> {
  assertTenant(request.headers, address);
  const { tenantId, connectionId } = address;
  const token = bearerOf(request.headers) ?? "";
  if (!isProvisioningToken(token)) throw unauthorized();
  const key = { tenantId, connectionId };
  const [isValid, connection] = await Promise.all([
    isTokenValid(key, sha256(token), new Date()),
    findConnection(key),
  ]);
  if (!isValid || !connection) throw unauthorized();
  context.caller = { kind: "bearer", credentialId: connectionId, userId: "" };
  setResponseHeaders(context, await countRequest("provisioning", `${tenantId} ${connectionId}`));
  const actor = { type: "system" as const, id: connectionId, login: connection.name };
  return {
    ...key,
    connection,
    acting: { tenantId, actor, ...context.origin },
    base: provisioningAddress(key),
  };
}
