import { openApi } from "@/lib/catalogue/openapi";
import { listTags, tagOf } from "@/lib/catalogue/openapi/tags";
import type { NamedOperation } from "@/lib/catalogue/operations";
import { type Credential, type Endpoint, methodOf, pathOf } from "@/lib/protocol/endpoint";
import type { Components, JsonSchema } from "./reference/examples";
import { bodyExample, queryExample } from "./reference/request-examples";

/*
 * The operations as a Postman collection (v2.1), which Bruno, Insomnia and Hoppscotch import too: a folder for each tag, a request for
 * each operation. Credentials are variables of the collection, initially empty; a request uses the first kind of credential that
 * it accepts.
 */

const schemaAddress = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** How a request sends each kind of credential, and the variable for its value. */
const credentialHeaders: Record<Credential, { key: string; value: string }> = {
  apiKey: { key: "X-Service-API-Key", value: "{{apiKey}}" },
  session: { key: "X-Service-Session-Id", value: "{{sessionId}}" },
  bearer: { key: "Authorization", value: "Bearer {{bearerToken}}" },
  anonymous: { key: "Authorization", value: "Bearer {{anonymousToken}}" },
  customer: { key: "Authorization", value: "Bearer {{customerToken}}" },
  share: { key: "X-Service-Preview-Share", value: "{{shareToken}}" },
};

const order: readonly Credential[] = [
  "apiKey",
  "session",
  "bearer",
  "customer",
  "anonymous",
  "share",
];

const variables = (url: string) => [
  { key: "url", value: url },
  { key: "tenant", value: "" },
  { key: "site", value: "" },
  ...["apiKey", "sessionId", "bearerToken", "anonymousToken", "customerToken"].map((key) => ({
    key,
    value: "",
    type: "secret",
  })),
];

/** The parts of an operation in the OpenAPI document that the collection uses. */
interface Described {
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema }> };
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: JsonSchema;
}

const reader = { tenant: "{{tenant}}", site: "{{site}}" };

const hasHeader = (parameters: readonly Parameter[], name: string) =>
  parameters.some(({ $ref }) => $ref?.endsWith(`/${name}`));

function headersOf({ credentials }: Endpoint, parameters: readonly Parameter[]) {
  const credential = order.find((kind) => credentials.includes(kind));
  const site = { key: "X-Service-Site", value: "{{site}}" };
  return [
    { key: "Accept", value: "application/json" },
    ...(hasHeader(parameters, "Tenant") ? [{ key: "X-Service-Tenant", value: "{{tenant}}" }] : []),
    ...(hasHeader(parameters, "Site") ? [site] : []),
    ...(hasHeader(parameters, "OptionalSite") ? [{ ...site, disabled: true }] : []),
    ...(credential ? [credentialHeaders[credential]] : []),
    ...(hasHeader(parameters, "RequiredIfMatch") ? [{ key: "If-Match", value: "*" }] : []),
  ];
}

/** Optional parameters are included, but disabled. */
function urlOf(declared: Endpoint, parameters: readonly Parameter[], components: Components) {
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const values = queryExample(declared, of("query"), components, reader);
  const query = values.map(({ name, value, isSent, description }) => ({
    key: name,
    // A cursor is known only from the previous response.
    value: name === "cursor" || name === "after" ? "" : value,
    ...(description && { description }),
    ...(!isSent && { disabled: true }),
  }));
  const segments = pathOf(declared)
    .slice(1)
    .replace(/\{(\w+)\}/g, ":$1");
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `{{url}}/${segments}${sent.length > 0 ? `?${sent.join("&")}` : ""}`,
    host: ["{{url}}"],
    path: segments.split("/"),
    ...(query.length > 0 && { query }),
    variable: of("path").map(({ name, description }) => ({
      key: name,
      value: "example",
      ...(description && { description }),
    })),
  };
}

function bodyOf(declared: Endpoint, { requestBody }: Described, components: Components) {
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (mediaType === undefined || content === undefined) return undefined;
  const example = bodyExample(declared, content.schema, components, reader);
  if (mediaType.endsWith("urlencoded")) {
    const urlencoded = Object.entries(example as object).map(([key, value]) => ({ key, value }));
    return { mediaType, body: { mode: "urlencoded", urlencoded } };
  }
  const options = { raw: { language: "json" } };
  const indent = mediaType.endsWith("ndjson") ? undefined : 2;
  return {
    mediaType,
    body: { mode: "raw", raw: JSON.stringify(example, undefined, indent), options },
  };
}

function itemOf(declared: Endpoint, described: Described, schemas: Components) {
  const parameters = described.parameters ?? [];
  const body = bodyOf(declared, described, schemas);
  return {
    name: described.summary,
    request: {
      method: methodOf(declared),
      description: described.description,
      header: [
        ...headersOf(declared, parameters),
        ...(body ? [{ key: "Content-Type", value: body.mediaType }] : []),
      ],
      url: urlOf(declared, parameters, schemas),
      ...(body && { body: body.body }),
    },
  };
}

/** The collection of the given operations, from their OpenAPI document. */
export function collection(operations: readonly NamedOperation[], url: string) {
  const { paths, components } = openApi(operations, url);
  const described = paths as Record<string, Record<string, Described>>;
  const { schemas } = components as { schemas: Components };
  const items = operations.flatMap(({ declared }) => {
    const found = described[pathOf(declared)]?.[methodOf(declared).toLowerCase()];
    return found ? [{ tag: tagOf(declared), item: itemOf(declared, found, schemas) }] : [];
  });
  const folders = listTags().map(({ name, description }) => ({
    name,
    description,
    item: items.filter(({ tag }) => tag === name).map(({ item }) => item),
  }));
  return {
    info: {
      name: "Gatehouse",
      description: "Set tenant and apiKey in the variables of the collection, then send.",
      schema: schemaAddress,
    },
    variable: variables(url),
    item: folders.filter(({ item }) => item.length > 0),
  };
}
