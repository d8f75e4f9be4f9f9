import { methodOf, pathOf } from "@/lib/protocol/endpoint";
import { documentPaths } from "./openapi/documents";
import { headerComponents } from "./openapi/headers";
import { onlyUsed } from "./openapi/only-used";
import { describeOperation } from "./openapi/operation";
import { parameterComponents } from "./openapi/parameters";
import { responseComponents } from "./openapi/responses";
import { type Json, SchemaWriter } from "./openapi/schema-writer";
import { securitySchemes } from "./openapi/security";
import { listTags } from "./openapi/tags";
import { webhooks } from "./openapi/webhooks";
import { type NamedOperation, namedSchemas } from "./operations";

const introduction = `Access and management for a multi-tenant commerce platform.

Every request names its tenant in \`X-Service-Tenant\`. Paths, members, codes and statuses are only ever added under \`/v1\`: clients ignore response members that they do not know. Requests with unknown members or parameters are rejected with 400. Any operation may also answer 414, 417 or 431 where the request itself cannot be read.`;

/** OpenAPI 3.1 of the given operations, from the very schemas that validate the requests. */
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
