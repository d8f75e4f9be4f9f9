import { headerReferences } from "./headers";
import type { Json } from "./schema-writer";
import { documentsTagName } from "./tags";

/** What is neither of a tenant nor checked by a schema: for machines that watch or read the service. */
const documents = [
  ["/openapi.json", "getOpenApi", "Get this description of the interface"],
  [
    "/.well-known/jwks.json",
    "getKeys",
    "Get the public keys that tokens and audit heads are verified with",
  ],
  [
    "/.well-known/oauth-authorization-server",
    "getAuthorizationServer",
    "Get where tokens are verified and introspected (RFC 8414)",
  ],
  [
    "/docs/collection.json",
    "getCollection",
    "Get the operations as a collection of Postman (v2.1)",
  ],
  ["/healthz", "getLiveness", "Get whether the process lives"],
  ["/readyz", "getReadiness", "Get whether requests should be sent here"],
] as const;

export function documentPaths(): Json {
  return Object.fromEntries(
    documents.map(([path, operationId, summary]) => [
      path,
      { get: describeDocument(operationId, summary) },
    ]),
  );
}

function describeDocument(operationId: string, summary: string): Json {
  const schema = { type: "object", additionalProperties: true };
  const isHealth = operationId.endsWith("ness");
  const headers = headerReferences([
    "X-Service-Request-Id",
    ...(isHealth ? [] : ["ETag" as const]),
  ]);
  const ok = { description: `${summary}.`, headers, content: { "application/json": { schema } } };
  return {
    operationId,
    summary,
    description: `${summary}. Needs neither a tenant nor a credential.`,
    tags: [documentsTagName],
    security: [],
    responses: {
      200: ok,
      406: { $ref: "#/components/responses/NotAcceptable" },
      429: { $ref: "#/components/responses/TooManyRequests" },
      500: { $ref: "#/components/responses/InternalError" },
      503: { $ref: "#/components/responses/Unavailable" },
    },
  };
}
