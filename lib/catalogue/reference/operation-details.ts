import { rolesWith } from "@/lib/access/roles";
import { openApi } from "@/lib/catalogue/openapi";
import { namedOperations, operations, slugOf } from "@/lib/catalogue/operations";
import { declaredErrors } from "@/lib/protocol/declared-errors";
import { type Credential, type Endpoint, methodOf, pathOf } from "@/lib/protocol/endpoint";
import { errorCodes } from "@/lib/protocol/error-codes";
import { perProcess } from "@/lib/protocol/per-process";
import { publicUrl } from "@/lib/protocol/settings";
import { type Components, exampleMaker, type JsonSchema, type Reader } from "./examples";
import { bodyExample, queryExample } from "./request-examples";
import { curlSample, pythonSample, type SampleRequest, typeScriptSample } from "./samples";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: JsonSchema;
}

interface Described {
  description: string;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<
    string,
    {
      headers?: Record<string, unknown>;
      content?: Record<string, { schema: JsonSchema }>;
    }
  >;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: {
    schemas: Components;
    parameters: Record<string, Parameter>;
    headers: Record<string, { description: string; example?: unknown }>;
  };
}

/** The OpenAPI document, the source of the pages, so that both agree. */
const openApiDocument = perProcess(
  "reference-document",
  () => openApi(namedOperations, publicUrl()) as unknown as Document,
);

/** How the samples send each kind of credential. */
const carriers: Record<Credential, [name: string, value: string]> = {
  session: ["X-Service-Session-Id", "$SESSION"],
  apiKey: ["X-Service-API-Key", "$API_KEY"],
  bearer: ["Authorization", "Bearer $TOKEN"],
  anonymous: ["Authorization", "Bearer $ANONYMOUS_TOKEN"],
  customer: ["Authorization", "Bearer $ACCESS_TOKEN"],
  share: ["X-Service-Preview-Share", "$SHARE_TOKEN"],
};

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf("/") + 1);

function parametersOf({ parameters }: Described, { components }: Document): Parameter[] {
  return parameters.flatMap((one) => {
    const parameter = "$ref" in one ? components.parameters[nameOf(one.$ref)] : one;
    return parameter ? [parameter] : [];
  });
}

/** The placeholder of an id in a path, by the segment before it. */
const pathExamples: Readonly<Record<string, string>> = {
  "api-keys": "$KEY_ID",
  customers: "$CUSTOMER_ID",
  notices: "$NOTICE_ID",
  preview: "spring",
  quotas: "users",
  requests: "$REQUEST_ID",
  revisions: "1",
  sessions: "$SESSION_REF",
  sites: "eu-store",
  tenants: "demo",
  user: "$USER_ID",
};

/** In capitals where the reader has to insert an id. */
const pathExample = (path: string) =>
  path.replace(/([\w-]+)\/\{(\w+)\}/g, (_, before: string, name: string) => {
    const example = pathExamples[before] ?? `$${name.toUpperCase()}`;
    return `${before}/${example.replace("$", "")}`;
  });

function sampleRequest(
  declared: Endpoint,
  query: string,
  body: unknown,
  { tenant, site }: Reader,
): SampleRequest {
  const carrier = declared.credentials.includes("apiKey") ? "apiKey" : declared.credentials[0];
  const headers: [string, string, boolean][] = [
    ["X-Service-Tenant", tenant, declared.scope !== "none"],
    ["X-Service-Site", site, declared.scope === "site"],
    ...(carrier ? [[...carriers[carrier], true] as [string, string, boolean]] : []),
    ["If-Match", "$ETAG", declared.requires.includes("precondition")],
    ["Content-Type", declared.consumes, body !== undefined],
  ];
  return {
    method: methodOf(declared),
    url: `${publicUrl()}${pathExample(pathOf(declared))}${query}`,
    headers: headers.flatMap(([name, value, isSent]): [string, string][] =>
      isSent ? [[name, value]] : [],
    ),
    ...(body === undefined ? {} : { body }),
    ...(declared.consumes === "application/x-www-form-urlencoded" ? { isForm: true } : {}),
    ...(declared.consumes === "application/x-ndjson" ? { isLine: true } : {}),
  };
}

/** The query of an example, with its question mark; empty without required parameters. */
function queryOf(
  declared: Endpoint,
  parameters: Parameter[],
  components: Components,
  reader: Reader,
): string {
  const inQuery = parameters.filter((one) => one.in === "query");
  const sent = queryExample(declared, inQuery, components, reader).filter((one) => one.isSent);
  const pairs = sent.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
}

/** The schema and an example of a JSON body; undefined without one. */
export interface DescribedBody {
  schema: JsonSchema;
  example: unknown;
  mediaTypes: string[];
}

function answerOf(response: Described["responses"][string] | undefined, components: Components) {
  const content = Object.entries(response?.content ?? {});
  const json = content.find(([type]) => type === "application/json")?.[1].schema;
  if (!json) return undefined;
  const example = exampleMaker(components, { isWhole: true })(json);
  return { schema: json, example, mediaTypes: content.map(([type]) => type) };
}

function bodyOf(declared: Endpoint, described: Described, components: Components, reader: Reader) {
  const content = Object.entries(described.requestBody?.content ?? {});
  const schema = content[0]?.[1].schema;
  if (!schema) return undefined;
  const example = bodyExample(declared, schema, components, reader);
  return { schema, example, mediaTypes: content.map(([type]) => type) };
}

const errorsOf = (declared: Endpoint) =>
  [...declaredErrors(declared)].flatMap(([status, codes]) =>
    codes.map((code) => ({
      status,
      code,
      title: errorCodes[code].title,
      remedy: errorCodes[code].remedy,
    })),
  );

function headersOf(response: Described["responses"][string] | undefined, document: Document) {
  return Object.keys(response?.headers ?? {}).map((name) => ({
    name,
    description: document.components.headers[name]?.description ?? "",
    example: String(document.components.headers[name]?.example ?? ""),
  }));
}

function accessOf({ permission, isTenantWide, keyRule }: Endpoint) {
  const isNamed = permission !== undefined && permission !== "any-role";
  return {
    permission,
    isTenantWide,
    restrictedKeyNeeds: keyRule?.restrictedNeeds,
    roles: isNamed ? rolesWith(permission) : [],
  };
}

/** The content of an operation's page; undefined for an unknown slug. */
export function findOperationDetails(slug: string, reader: Reader) {
  const declared = operations.find((one) => slugOf(one) === slug);
  const document = openApiDocument();
  const described =
    declared && document.paths[pathOf(declared)]?.[methodOf(declared).toLowerCase()];
  if (!declared || !described) return undefined;
  const { schemas } = document.components;
  const success = described.responses[String(declared.status)];
  const parameters = parametersOf(described, document);
  const body = bodyOf(declared, described, schemas, reader);
  const query = queryOf(declared, parameters, schemas, reader);
  const request = sampleRequest(declared, query, body?.example, reader);
  return {
    declared,
    request,
    description: described.description,
    access: accessOf(declared),
    parameters,
    body,
    answer: answerOf(success, schemas),
    headers: headersOf(success, document),
    errors: errorsOf(declared),
    samples: {
      curl: curlSample(request),
      typeScript: typeScriptSample(request),
      python: pythonSample(request),
    },
    schemas,
  };
}
