import { type Endpoint, isRepeatable, methodOf, pathOf } from "@/lib/protocol/endpoint";
import { slugPattern } from "@/lib/protocol/formats";
import { fieldDescription } from "./field-descriptions";
import type { Json, SchemaWriter } from "./schema-writer";

const slug = { type: "string", pattern: slugPattern.source, minLength: 1, maxLength: 63 };
const entityTags = { type: "string", maxLength: 4096 };
const httpDate = { type: "string", maxLength: 64 };

const header = (name: string, required: boolean, description: string, schema: Json): Json => ({
  name,
  in: "header",
  required,
  description,
  schema,
});

/** Parameters shared by many operations, by their name in `components/parameters`. */
const shared = {
  Tenant: header("X-Service-Tenant", true, "The id of the tenant.", slug),
  Site: header("X-Service-Site", true, "The id of the site.", slug),
  OptionalSite: header(
    "X-Service-Site",
    false,
    "The id of a site: roles that the caller holds at this site count too.",
    slug,
  ),
  RequestId: header(
    "X-Service-Request-Id",
    false,
    "An id for this request. The response repeats it.",
    { type: "string", pattern: "^[A-Za-z0-9._-]{1,64}$", maxLength: 64 },
  ),
  IdempotencyKey: header(
    "Idempotency-Key",
    false,
    "Makes the request safe to repeat for 24 hours: the same key and body return the first response.",
    { type: "string", pattern: "^[!-~]{1,255}$", maxLength: 255 },
  ),
  IfMatch: header(
    "If-Match",
    false,
    "Entity tags, or `*`: the request is rejected with 412 unless the current ETag is one of them.",
    entityTags,
  ),
  RequiredIfMatch: header(
    "If-Match",
    false,
    "Entity tags, or `*`: the request is rejected with 412 unless the current ETag is one of them, and with 428 without this header.",
    entityTags,
  ),
  IfNoneMatch: header(
    "If-None-Match",
    false,
    "Entity tags, or `*`: a read returns 304 where the current ETag is one of them, a write 412.",
    entityTags,
  ),
  IfUnmodifiedSince: header(
    "If-Unmodified-Since",
    false,
    "The request is rejected with 412 where the resource has changed since.",
    httpDate,
  ),
  IfModifiedSince: header(
    "If-Modified-Since",
    false,
    "The response is 304 where the resource has not changed since.",
    httpDate,
  ),
} as const satisfies Record<string, Json>;

type SharedName = keyof typeof shared;

export const parameterComponents = (): Json => ({ ...shared });

function sharedNames(declared: Endpoint): SharedName[] {
  const { scope, conditional, requires, produces } = declared;
  const isRead = methodOf(declared) === "GET";
  // A representation in bytes also has a modification time.
  const hasTime = conditional === "tag-and-time" && produces.length > 0;
  return [
    ...(scope !== "none" ? (["Tenant"] as const) : []),
    ...(scope !== "none" ? [scope === "site" ? ("Site" as const) : ("OptionalSite" as const)] : []),
    "RequestId",
    ...(conditional
      ? [requires.includes("precondition") ? ("RequiredIfMatch" as const) : ("IfMatch" as const)]
      : []),
    ...(conditional ? (["IfNoneMatch"] as const) : []),
    ...(hasTime ? (["IfUnmodifiedSince"] as const) : []),
    ...(hasTime && isRead ? (["IfModifiedSince"] as const) : []),
    ...(isRepeatable(declared) ? (["IdempotencyKey"] as const) : []),
  ];
}

/** "/v1/user/{id}/roles": the segment before an id says what it identifies. */
const identified: Record<string, string> = {
  user: "The id of a user.",
  "emergency-administrators": "The id of a user.",
  "api-keys": "The id of an API key.",
  sessions: "The reference of a session, from the list of sessions.",
  notices: "The id of a notice.",
  "access-requests": "The id of a request for access.",
  requests: "The id of a rejected request.",
  tenants: "The id of a tenant.",
  quotas: "The name of a quota.",
  sites: "The id of a site.",
  customers: "The id of a customer.",
  imports: "The id of an import.",
  connections: "The id of a connection.",
  sso: "A tenant and a connection of it: `TENANT.CONNECTION`.",
  identities: "The id of a linked account at an identity provider.",
  webhooks: "The id of a webhook.",
  streams: "The id of an audit stream.",
  alerts: "The id of an alert rule.",
  markers: "The id of a marker that was reported.",
  views: "The id of a saved view.",
  deliveries: "The id of the event.",
  preview: "The key of a preview configuration.",
  revisions: "The number of a revision.",
  releases: "The id of a release.",
  shares: "The id of a share.",
  comments: "The id of a comment.",
  "second-factors": "The id of a second factor.",
  "hand-offs": "The id of a hand-off, as its creation answered it.",
};

function pathParameters(declared: Endpoint): Json[] {
  const parts = pathOf(declared).split("/");
  return parts.flatMap((part, index) => {
    if (!part.startsWith("{")) return [];
    const description = identified[parts[index - 1] ?? ""];
    const schema = { type: "string", minLength: 1, maxLength: 128 };
    return [{ name: part.slice(1, -1), in: "path", required: true, description, schema }];
  });
}

/** The meaning of a query parameter where a field of the same name means something else. */
const ofQueries = {
  after: "The id of the item that the list goes on after.",
  apiKey: "Only calls by the API keys with these ids.",
  apiKeyId: "The id of an API key: this or a user.",
  code: "Only requests with this error code.",
  cursor: "Where the page begins: from the Link header of the page before.",
  domain: "Only calls of these domains.",
  endpoint: "Only calls of these endpoints.",
  from: "The first instant.",
  id: "The whole id.",
  limit: "How many items there are at most.",
  lock: "Only those who are locked now, or who are not.",
  permission: "The permission that they hold.",
  q: "A text to search for.",
  requestId: "Only what the request with this id did.",
  result: "Only lines with this result.",
  role: "Only those who have this role.",
  site: "Only calls at these sites.",
  sort: "The order of the list.",
  status: "Only those of this status.",
  statusClass: "Only calls with statuses of these classes.",
  to: "The instant after the last one.",
  type: "Only events of this type, such as user.locked, user.* or *.",
  userId: "The id of a user: this or an API key.",
};

const queryDescriptions: ReadonlyMap<string, string> = new Map(Object.entries(ofQueries));

/** The meaning of a query parameter of this name if its schema has no description. */
const parameterDescription = (name: string): string | undefined =>
  queryDescriptions.get(name) ?? fieldDescription(name);

function queryParameter(name: string, required: boolean, schema: Json, writer: SchemaWriter): Json {
  const { description, "x-style": style, ...rest } = schema;
  // The schema of an object defines how its fields are encoded in a query, also where the schema has a name.
  const inQuery = style ?? writer.resolve(schema)["x-style"];
  return {
    name,
    in: "query",
    required,
    description: description ?? writer.resolve(schema).description ?? parameterDescription(name),
    schema: rest,
    ...(inQuery ? { style: inQuery, explode: true } : {}),
  };
}

export function queryParameters(declared: Endpoint, writer: SchemaWriter): Json[] {
  const query = declared.query ? writer.write(declared.query, "input", parameterDescription) : {};
  const { properties = {}, required = [] } = writer.resolve(query) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) =>
    queryParameter(name, required.includes(name), schema, writer),
  );
}

export function parameters(declared: Endpoint, query: Json[]): Json[] {
  return [
    ...sharedNames(declared).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...pathParameters(declared),
    ...query,
  ];
}
