export type JsonSchema = { [member: string]: unknown };

export interface SchemaField {
  path: string;
  type: string;
  required: boolean;
  note: string;
}

const isObject = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null && !Array.isArray(value);

function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.filter(isObject).map(typeOf).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum))
    return schema.enum.length > 6 ? "one of a list" : schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (schema.type === "array") return `array of ${isObject(schema.items) ? typeOf(schema.items) : "anything"}`;
  const format = typeof schema.format === "string" ? `, ${schema.format}` : "";
  return `${typeof schema.type === "string" ? schema.type : "anything"}${format}`;
}

function noteOf(schema: JsonSchema): string {
  const notes = [
    typeof schema.description === "string" ? schema.description : "",
    schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`,
    typeof schema.maximum === "number" && schema.maximum < 1e6 ? `${schema.minimum ?? 0} to ${schema.maximum}` : "",
    typeof schema.maxLength === "number" ? `at most ${schema.maxLength} characters` : "",
    Array.isArray(schema.enum) && schema.enum.length > 6 ? schema.enum.join(", ") : "",
  ];
  return notes.filter(Boolean).join("; ");
}

/** The members of a JSON Schema as flat lines: `a`, `a.b`, `a[].b`, `a.{key}.b`. */
export function schemaFields(schema: unknown, path = ""): SchemaField[] {
  if (!isObject(schema)) return [];
  if (schema.type === "array") return schemaFields(schema.items, `${path}[]`);
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const members = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const named = members.flatMap(([name, member]) => {
    if (!isObject(member)) return [];
    const at = path ? `${path}.${name}` : name;
    return [{ path: at, type: typeOf(member), required: required.includes(name), note: noteOf(member) }, ...schemaFields(member, at)];
  });
  const others = isObject(schema.additionalProperties) ? schemaFields(schema.additionalProperties, `${path}.{key}`) : [];
  return [...named, ...others];
}
