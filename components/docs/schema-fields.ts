export type JsonSchema = { [member: string]: unknown };

export interface SchemaField {
  path: string;
  type: string;
  required: boolean;
  note: string;
}

type Named = Record<string, unknown>;

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Resolves a schema: itself, or the named one it refers to. */
export function meant(schema: unknown, named: Named): JsonSchema | undefined {
  if (!isObject(schema)) return undefined;
  const name =
    typeof schema.$ref === "string"
      ? schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)
      : undefined;
  return name === undefined ? schema : meant(named[name], named);
}

export function typeOf(schema: JsonSchema, named: Named): string {
  if (Array.isArray(schema.anyOf))
    return schema.anyOf.map((one: unknown) => typeOf(meant(one, named) ?? {}, named)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum))
    return schema.enum.length > 6
      ? "one of a list"
      : schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (schema.type === "array") {
    const items = meant(schema.items, named);
    return `array of ${items ? typeOf(items, named) : "anything"}`;
  }
  const format = typeof schema.format === "string" ? `, ${schema.format}` : "";
  return `${typeof schema.type === "string" ? schema.type : "anything"}${format}`;
}

/** Larger `maxLength` values are not shown: the size limit of the body applies first. */
const maxNotedLength = 100_000;

export function noteOf(schema: JsonSchema): string {
  const notes = [
    typeof schema.description === "string" ? schema.description : "",
    schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`,
    typeof schema.maximum === "number" && schema.maximum < 1e6
      ? `${schema.minimum ?? 0} to ${schema.maximum}`
      : "",
    typeof schema.maxLength === "number" && schema.maxLength < maxNotedLength
      ? `at most ${schema.maxLength} characters`
      : "",
    Array.isArray(schema.enum) && schema.enum.length > 6 ? schema.enum.join(", ") : "",
  ];
  const [first, ...rest] = notes.filter(Boolean);
  return rest.length > 0 ? [first?.replace(/\.$/, ""), ...rest].join("; ") : (first ?? "");
}

function fieldsOf(given: unknown, named: Named, path: string): SchemaField[] {
  const schema = meant(given, named);
  if (!schema) return [];
  if (schema.type === "array") return fieldsOf(schema.items, named, `${path}[]`);
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const members = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const own = members.flatMap(([name, given]) => {
    const member = meant(given, named);
    if (!member || member["x-unlisted"]) return [];
    const at = path ? `${path}.${name}` : name;
    const field = {
      path: at,
      type: typeOf(member, named),
      required: required.includes(name),
      note: noteOf(member),
    };
    return [field, ...fieldsOf(member, named, at)];
  });
  return [
    ...own,
    ...fieldsOf(schema.additionalProperties, named, path ? `${path}.{key}` : "{key}"),
  ];
}

/** An input or output: its fields as flat lines (`a`, `a.b`, `a[].b`, `a.{key}.b`), or a note when it has none. */
export interface SchemaPart {
  fields: SchemaField[];
  note: string;
}

/** `named` are the schemas that it refers to, by default its own `$defs`. */
export function schemaPart(
  schema: JsonSchema,
  named: Named = isObject(schema.$defs) ? schema.$defs : {},
): SchemaPart {
  const itself = meant(schema, named) ?? {};
  return { fields: fieldsOf(itself, named, ""), note: noteOf(itself) || typeOf(itself, named) };
}
