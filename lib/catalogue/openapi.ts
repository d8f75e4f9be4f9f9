import { eventTypes, typePrefix } from "@/lib/features/events/catalogue";
import { CloudEvent } from "@/lib/features/events/contract";
import { methodOf, pathOf } from "@/lib/protocol/endpoint";
import { headerComponents, headerReferences } from "./openapi/headers";
import { describeOperation } from "./openapi/operation";
import { parameterComponents } from "./openapi/parameters";
import { responseComponents } from "./openapi/responses";
import { type Json, SchemaWriter } from "./openapi/schema-writer";
import { securitySchemes } from "./openapi/security";
import { documentsTagName, listTags, tagOf } from "./openapi/tags";
import { type NamedOperation, namedSchemas } from "./operations";

/** Paths outside the tenants and without schema validation: for programs that monitor or read the service. */
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

function documentPaths(): Json {
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

const description =
  "The event as CloudEvents 1.0 has it, with ids and names of fields and without values, but for the numbers of alerts. The same event may be delivered more than once, under the same id.";

const delivery = (schema: Json): Json => ({
  post: {
    operationId: "receiveEvent",
    summary: "Receive an event",
    description,
    tags: [tagOf({ operation: "POST /v1/events" })],
    security: [],
    requestBody: {
      required: true,
      description,
      content: { "application/cloudevents+json": { schema } },
    },
    responses: { "2XX": { description: "The event was received." } },
  },
});

/** The events sent to subscribers: every type of event, all in one format. */
function webhooks(writer: SchemaWriter): { webhooks: Json; pathItems: Json } {
  const entries = eventTypes.map(({ type, description }): [string, Json] => [
    `${typePrefix}${type}`,
    { $ref: "#/components/pathItems/EventDelivery", description },
  ]);
  return {
    webhooks: Object.fromEntries(entries),
    pathItems: { EventDelivery: delivery(writer.write(CloudEvent, "output")) },
  };
}

const kinds = ["responses", "headers", "parameters"] as const;

/** The document without shared components that no operation refers to. */
function onlyUsed(document: Json): Json {
  const components = { ...(document.components as Record<string, Json>) };
  // Responses first: they refer to headers.
  for (const kind of kinds) {
    const text = JSON.stringify({ ...document, components });
    const isUsed = (name: string) => text.includes(`"#/components/${kind}/${name}"`);
    components[kind] = Object.fromEntries(
      Object.entries(components[kind] ?? {}).filter(([name]) => isUsed(name)),
    );
  }
  return { ...document, components };
}

const introduction = `Access and management for a multi-tenant commerce platform.

Every request names its tenant in \`X-Service-Tenant\`. Paths, members, codes and statuses are only ever added under \`/v1\`: clients ignore response members that they do not know. Requests with unknown members or parameters are rejected with 400. Any operation may also answer 414, 417 or 431 where the request itself cannot be read.`;

/** The OpenAPI 3.1 document of the given operations, from the schemas that validate the requests. */
export function openApi(operations: readonly NamedOperation[], serverUrl: string): Json {
  const writer = new SchemaWriter(namedSchemas);
  const paths = documentPaths() as Record<string, Json>;
  for (const { id, declared } of operations) {
    const path = pathOf(declared);
    paths[path] = {
      ...paths[path],
      [methodOf(declared).toLowerCase()]: describeOperation(id, declared, writer),
    };
  }
  const responses = responseComponents(writer);
  const { document, schemas } = writer.settle({ paths, responses, ...webhooks(writer) });
  return onlyUsed({
    openapi: "3.1.0",
    info: {
      title: "Gatehouse",
      version: "1",
      description: introduction,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      { url: serverUrl, description: "This installation, in production", "x-internal": false },
    ],
    tags: listTags(),
    paths: document.paths,
    webhooks: document.webhooks,
    components: {
      schemas,
      responses: document.responses,
      pathItems: document.pathItems,
      parameters: parameterComponents(),
      headers: headerComponents(),
      securitySchemes: securitySchemes(),
    },
  });
}
