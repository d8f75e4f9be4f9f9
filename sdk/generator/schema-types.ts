import type { DocumentNode } from "@/lib/catalogue/testing/document-node";

const isName = /^[A-Za-z_$][\w$]*$/;
const quoted = (name: string) => (isName.test(name) ? name : JSON.stringify(name));
const commentOf = (text: unknown) =>
  typeof text === "string" ? `/** ${text.replaceAll("*/", "* /").replaceAll("\n", " ")} */\n` : "";

export const referenceName = (reference: string) => reference.split("/").at(-1) ?? "";

function objectType(schema: DocumentNode): string {
  const required = new Set<string>(schema.required ?? []);
  const fields = Object.entries<DocumentNode>(schema.properties ?? {}).map(
    ([name, field]) =>
      `${commentOf(field.description)}${quoted(name)}${required.has(name) ? "" : "?"}: ${typeOf(field)};`,
  );
  const others = schema.additionalProperties;
  const rest = typeof others === "object" && Object.keys(others).length > 0 ? others : undefined;
  if (fields.length === 0)
    return rest === undefined ? "Record<string, unknown>" : `Record<string, ${typeOf(rest)}>`;
  const known = `{\n${fields.join("\n")}\n}`;
  return rest === undefined ? known : `${known} & Record<string, ${typeOf(rest)}>`;
}

const union = (types: string[]) => [...new Set(types)].join(" | ");

/** The TypeScript of a JSON Schema, as far as OpenAPI documents of this project use it. */
export function typeOf(schema: DocumentNode): string {
  if (schema === undefined || schema === true) return "unknown";
  if (schema.$ref !== undefined) return referenceName(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return union(schema.enum.map((value: unknown) => JSON.stringify(value)));
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return union(branches.map(typeOf));
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(" & ");
  if (Array.isArray(schema.type))
    return union(schema.type.map((type: string) => typeOf({ ...schema, type })));
  return typeOfKind(schema);
}

function typeOfKind(schema: DocumentNode): string {
  switch (schema.type) {
    case "object":
      return objectType(schema);
    case "array":
      return `Array<${typeOf(schema.items)}>`;
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    default:
      return schema.properties === undefined ? "unknown" : objectType(schema);
  }
}

/** A named type with its description. */
export function declarationOf(name: string, schema: DocumentNode): string {
  const type = typeOf(schema);
  const isInterface = schema.type === "object" && type.startsWith("{") && type.endsWith("}");
  const declared = isInterface
    ? `export interface ${name} ${type}`
    : `export type ${name} = ${type};`;
  return `${commentOf(schema.description)}${declared}`;
}

/** One field of an input, with its description. */
export function inputField(name: string, schema: DocumentNode, isRequired: boolean): string {
  return `${commentOf(schema.description)}${quoted(name)}${isRequired ? "" : "?"}: ${typeOf(schema)};`;
}
