import { publicUrl } from "@/lib/protocol/settings";

/**
 * Authorization server metadata (RFC 8414): where other services find the keys and verify credentials. There is no
 * authorization or token endpoint of OAuth: credentials come from the sign-ins and API keys of the reference.
 */
export function serverMetadata(): Record<string, unknown> {
  const issuer = publicUrl();
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    introspection_endpoint: `${issuer}/v1/access/introspect`,
    response_types_supported: [],
    grant_types_supported: [],
    service_documentation: `${issuer}/docs`,
    access_token_signing_alg_values_supported: ["ES256"],
    verification_endpoint: `${issuer}/v1/access/verify`,
    revocations_endpoint: `${issuer}/v1/access/revocations`,
  };
}
