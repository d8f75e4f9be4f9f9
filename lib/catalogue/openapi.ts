import { z } from "zod";
import { bearerDeprecationNote } from "@/lib/protocol/deprecation";
import {
  type Credential,
  type Endpoint,
  isRepeatable,
  methodOf,
  pathOf,
} from "@/lib/protocol/endpoint";
import { errorNames } from "@/lib/protocol/error-codes";

type Json = Record<string, unknown>;

/** The founding document's name of each scheme, and how a request carries it. */
const schemes: Record<Credential, { name: string; description: Json }> = {
  session: {
    name: "Session",
    description: { type: "apiKey", in: "header", name: "X-Service-Session-Id" },
  },
  apiKey: {
    name: "ApiKey",
    description: { type: "apiKey", in: "header", name: "X-Service-API-Key" },
  },
  bearer: {
    name: "NoChannelPortalAccess",
    description: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
  },
  anonymous: {
    name: "AnonymousBearerToken",
    description: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
  },
  customer: {
    name: "LoggedInBearerToken",
    description: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
  },
};

const ErrorResponse = z
  .object({
    name: z.enum(Object.values(errorNames)),
    code: z.string(),
    detail: z.string(),
    reason: z.string().optional(),
  })
  .meta({ id: "ErrorResponse" });
const ValidationErrorResponse = z
  .object({
    ...ErrorResponse.shape,
    reason: z
      .string()
      .optional()
      .meta({ description: "JSON Pointers of what is wrong, comma separated" }),
  })
  .meta({ id: "ValidationErrorResponse" });

/** Collects named schemas on the way: what a schema names stands once, under components. */
function schemaWriter(components: Json) {
  return (schema: z.ZodType, io: "input" | "output"): Json => {
    const {
      $schema: _,
      $defs,
      ...written
    } = z.toJSONSchema(schema, { io, unrepresentable: "any", target: "draft-2020-12" }) as Json;
    const moved = (value: Json): Json =>
      JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
      components[name] = moved(withoutId(definition));
    return asComponent(moved(written), components);
  };
}

function withoutId({ id: _, ...rest }: Json): Json {
  return rest;
}

function asComponent(schema: Json, components: Json): Json {
  if (typeof schema.id !== "string") return schema;
  components[schema.id] = withoutId(schema);
  return { $ref: `#/components/schemas/${schema.id}` };
}

type Write = ReturnType<typeof schemaWriter>;

function header(name: string, required: boolean): Json {
  return { name, in: "header", required, schema: { type: "string", minLength: 1, maxLength: 63 } };
}

/** The preconditions that a conditional operation honours. */
function conditions(declared: Endpoint): Json[] {
  const names = [
    "If-Match",
    "If-None-Match",
    "If-Unmodified-Since",
    ...(methodOf(declared) === "GET" ? ["If-Modified-Since"] : []),
  ];
  return names.map((name) => ({ name, in: "header", required: false, schema: { type: "string" } }));
}

/** A schema that stands for an object tells how its members are spelled in a query, where it is named too. */
function queryParameter(name: string, required: boolean, schema: Json, components: Json): Json {
  const named =
    typeof schema.$ref === "string"
      ? (components[schema.$ref.split("/").pop() ?? ""] as Json)
      : schema;
  return {
    name,
    in: "query",
    required,
    schema,
    ...(named["x-style"] ? { style: named["x-style"], explode: true } : {}),
  };
}

const repeatKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", pattern: "^[!-~]{1,255}$" },
};

function parameters(declared: Endpoint, write: Write, components: Json): Json[] {
  const path = [...pathOf(declared).matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const query = declared.query ? write(declared.query, "input") : {};
  const required = (query.required ?? []) as string[];
  const properties = Object.entries((query.properties ?? {}) as Record<string, Json>);
  return [
    ...(declared.needsTenant ? [header("X-Service-Tenant", true)] : []),
    ...(declared.needsTenant ? [header("X-Service-Site", declared.needsSite)] : []),
    ...path,
    ...(declared.isConditional ? conditions(declared) : []),
    ...(isRepeatable(declared) ? [repeatKey] : []),
    ...properties
      .filter(([, schema]) => !schema["x-unlisted"])
      .map(([name, schema]) => queryParameter(name, required.includes(name), schema, components)),
  ];
}

function statuses(declared: Endpoint): number[] {
  if (declared.profile === "metrics") return [400, 401, 404, 405, 429, 500, 503];
  const always = [400, 404, 405, 406, 429, 500, 503];
  const hasCredentialInBody =
    declared.addressLimit === "login" || declared.addressLimit === "refresh-token";
  const isForAnybody = declared.credentials.length === 0 && !hasCredentialInBody;
  const ofOrigin = declared.plane === "consumer" ? [403] : [];
  const guarded = isForAnybody ? ofOrigin : [401, 403];
  const withBody = declared.body ? [413, 415] : [];
  const changing = methodOf(declared) === "GET" ? [] : [409];
  const conditional = declared.isConditional ? [412] : [];
  const repeatable = isRepeatable(declared) ? [422] : [];
  return [...always, ...guarded, ...withBody, ...changing, ...conditional, ...repeatable].sort(
    (a, b) => a - b,
  );
}

function responses(declared: Endpoint, write: Write): Json {
  const success = declared.answer
    ? Object.fromEntries(
        declared.produces.map((type) => [
          type,
          { schema: write(declared.answer as z.ZodType, "output") },
        ]),
      )
    : undefined;
  const failures = statuses(declared).map((status) => {
    const schema = write(status === 400 ? ValidationErrorResponse : ErrorResponse, "output");
    return [
      status,
      {
        description: errorNames[status as keyof typeof errorNames],
        content: { "application/json": { schema } },
      },
    ];
  });
  return {
    [declared.status]: { description: declared.summary, ...(success ? { content: success } : {}) },
    ...Object.fromEntries(failures),
    default: {
      description: "The request could not be processed",
      content: { "application/json": { schema: write(ErrorResponse, "output") } },
    },
  };
}

function operation(declared: Endpoint, write: Write, components: Json): Json {
  return {
    operationId: declared.operation.replace(/[^A-Za-z0-9]+/g, "-").replace(/-$/, ""),
    summary: declared.summary,
    ...(declared.deprecatedCredential
      ? {
          description: `${schemes[declared.deprecatedCredential].name} is ${bearerDeprecationNote}.`,
        }
      : {}),
    tags: [pathOf(declared).split("/")[2] ?? "documents"],
    ...(declared.permission ? { "x-permission": declared.permission } : {}),
    ...(declared.restrictedKeyNeeds
      ? { "x-restricted-key-permission": declared.restrictedKeyNeeds }
      : {}),
    security: declared.credentials.map((credential) => ({ [schemes[credential].name]: [] })),
    parameters: parameters(declared, write, components),
    ...(declared.body
      ? {
          requestBody: {
            required: !declared.isBodyOptional,
            content: { "application/json": { schema: write(declared.body, "input") } },
          },
        }
      : {}),
    responses: responses(declared, write),
  };
}

/** What is neither of a tenant nor checked by a schema: for machines that watch or read the service. */
const documents: Record<string, string> = {
  "/openapi.json": "This description",
  "/.well-known/jwks.json": "The public keys that access tokens can be verified with",
  "/healthz": "Whether the process lives",
  "/readyz": "Whether requests should be sent here",
};

function documentPath([path, summary]: [string, string]): [string, Json] {
  const content = { "application/json": { schema: { type: "object" } } };
  const operationId = `GET${path.replace(/[^A-Za-z0-9]+/g, "-")}`;
  return [
    path,
    {
      get: {
        operationId,
        summary,
        tags: ["documents"],
        security: [],
        responses: { 200: { description: summary, content } },
      },
    },
  ];
}

/** OpenAPI 3.1 of the given operations, from the very schemas that validate the requests. */
export function openApi(operations: readonly Endpoint[]): Json {
  const components: Json = {};
  const write = schemaWriter(components);
  const paths: Record<string, Json> = Object.fromEntries(
    Object.entries(documents).map(documentPath),
  );
  for (const declared of operations) {
    const path = pathOf(declared);
    paths[path] = {
      ...paths[path],
      [methodOf(declared).toLowerCase()]: operation(declared, write, components),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Gatehouse",
      version: "1",
      description: "Access and management for a multi-tenant commerce platform",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas: components,
      securitySchemes: Object.fromEntries(
        Object.values(schemes).map(({ name, description }) => [name, description]),
      ),
    },
  };
}
