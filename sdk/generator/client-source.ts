import type { DocumentNode } from "@/lib/catalogue/testing/document-node";
import { errorCodes } from "@/lib/protocol/error-codes";
import { methodName } from "./method-names";
import { declarationOf, inputField, referenceName, typeOf } from "./schema-types";

const header = "// Generated from docs/api/v1.json by sdk/generator. Do not edit.\n\n";
const methods = ["get", "post", "put", "patch", "delete"];

interface Described {
  operation: string;
  group: string;
  method: string;
  summary: string;
  /** The fields of its input, as TypeScript. */
  fields: string[];
  isInputRequired: boolean;
  answer: string;
  isPaged: boolean;
  /** Takes an Idempotency-Key. */
  isRepeatable: boolean;
  /** The media type of a body that is not JSON. */
  mediaType: string | undefined;
}

/** Leaves out parameters by reference: they are headers that the client sends itself. */
const own = (parameters: DocumentNode[]) =>
  parameters.filter(({ in: place }) => place === "path" || place === "query");

const parameterField = ({ name, required, description, schema }: DocumentNode) =>
  inputField(name, { ...schema, description }, required === true);

const ownMediaType = (content: DocumentNode = {}) =>
  "application/json" in content ? undefined : Object.keys(content)[0];

/** The JSON schema if there is one: other media types are requested by `text`. */
const contentSchema = (content: DocumentNode) =>
  content["application/json"]?.schema ?? Object.values<DocumentNode>(content)[0]?.schema;

function answerType(responses: DocumentNode): string {
  const [, success] = Object.entries<DocumentNode>(responses).find(([s]) => /^2/.test(s)) ?? [];
  return success?.content === undefined ? "undefined" : typeOf(contentSchema(success.content));
}

/** The input of a body of lines is a list. */
function inputOfBody({ content, required }: DocumentNode): string {
  const field = inputField("body", contentSchema(content), required === true);
  return ownMediaType(content) === "application/x-ndjson"
    ? field.replace(/body: (.*);$/s, "body: Iterable<$1>;")
    : field;
}

function describeOperation(path: string, method: string, declared: DocumentNode): Described {
  const parameters: DocumentNode[] = declared.parameters ?? [];
  const given = own(parameters);
  const body = declared.requestBody;
  const bodyField = body && inputOfBody(body);
  return {
    operation: `${method.toUpperCase()} ${path}`,
    ...methodName(declared.operationId, path),
    summary: declared.summary,
    fields: [...given.map(parameterField), ...(bodyField ? [bodyField] : [])],
    isInputRequired: given.some(({ required }) => required) || body?.required === true,
    answer: answerType(declared.responses),
    isPaged: given.some(({ name }) => name === "cursor"),
    isRepeatable: parameters.some(
      ({ $ref }) => $ref !== undefined && referenceName($ref) === "IdempotencyKey",
    ),
    mediaType: ownMediaType(body?.content),
  };
}

function describeAll({ paths }: DocumentNode): Described[] {
  const all = Object.entries<DocumentNode>(paths).flatMap(([path, item]) =>
    methods.flatMap((method) =>
      item[method] && !item[method].tags?.includes("Documents")
        ? [describeOperation(path, method, item[method])]
        : [],
    ),
  );
  const names = all.map(({ group, method }) => `${group}.${method}`);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`two operations have the name ${twice.join(", ")}`);
  return all;
}

/** Schemas that an operation of the client uses, directly or through others. */
function usedSchemas(all: readonly Described[], schemas: DocumentNode): [string, DocumentNode][] {
  const texts = all.flatMap(({ fields, answer }) => [...fields, answer]);
  const used = new Set<string>();
  const waiting = Object.keys(schemas).filter((name) =>
    texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)),
  );
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    const references = JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    for (const [, reference = ""] of references) waiting.push(reference);
  }
  return [...used].toSorted().map((name) => [name, schemas[name]]);
}

const inputType = (fields: readonly string[]) =>
  fields.length > 0 ? `{\n${fields.join("\n")}\n}` : "Record<string, never>";

const operationType = ({ operation, fields, isInputRequired, answer }: Described) =>
  `${JSON.stringify(operation)}: {\ninput${isInputRequired ? "" : "?"}: ${inputType(fields)};\nanswer: ${answer};\n};`;

function typesSource(all: readonly Described[], schemas: DocumentNode): string {
  const statuses = Object.entries(errorCodes).map(
    ([code, { status }]) => `${JSON.stringify(code)}: ${status};`,
  );
  return [
    header.trimEnd(),
    `/** Every code that a response can hold, and its usual status. */\nexport interface ErrorStatuses {\n${statuses.join("\n")}\n}`,
    ...usedSchemas(all, schemas).map(([name, schema]) => declarationOf(name, schema)),
    `/** What each operation takes and answers. */\nexport interface Operations {\n${all.map(operationType).join("\n")}\n}\n`,
  ].join("\n\n");
}

const byGroup = (all: readonly Described[]): [string, Described[]][] =>
  [...new Set(all.map(({ group }) => group))]
    .toSorted()
    .map((name) => [name, all.filter(({ group }) => group === name)]);

/** "GET /v1/user/list paged": the operation, how it is called, and the media type of its body. */
function tableEntry({ method, operation, isPaged, isRepeatable, mediaType }: Described): string {
  const trait = isPaged ? "paged" : isRepeatable ? "repeatable" : "once";
  const traits = mediaType ? ` ${trait} ${mediaType}` : trait === "once" ? "" : ` ${trait}`;
  return `${method}: "${operation}${traits}",`;
}

const memberOf = ({ summary, method, operation, isPaged }: Described) =>
  `/** ${summary}. \`${operation}\` */\n${method}: ${isPaged ? "PagedMethod" : "Method"}<${JSON.stringify(operation)}>;`;

function groupsSource(all: readonly Described[]): string {
  const groups = byGroup(all);
  const types = groups.map(
    ([group, members]) => `${group}: {\n${members.map(memberOf).join("\n")}\n};`,
  );
  const table = groups.map(
    ([group, members]) => `${group}: {\n${members.map(tableEntry).join("\n")}\n},`,
  );
  return `${header}import type { Method, PagedMethod } from "./methods.js";

/** The operations by group. */
export interface Groups {
${types.join("\n")}
}

export const operations: { [Group in keyof Groups]: Record<keyof Groups[Group], string> } = {
${table.join("\n")}
};
`;
}

/** The generated files of the client by name, from the OpenAPI document. */
export function clientSource(document: DocumentNode): Record<string, string> {
  const all = describeAll(document);
  return {
    "generated-types.ts": typesSource(all, document.components.schemas),
    "generated-groups.ts": groupsSource(all),
  };
}
