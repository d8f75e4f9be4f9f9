/** The parts of an OpenAPI schema that the sample maker uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  "x-text"?: string;
  minimum?: number;
  minLength?: number;
  maxLength?: number;
}

/** The parts of an OpenAPI operation that the isolation test uses. */
export interface DeclaredOperation {
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  security?: unknown[];
}

/** Marks a property that is omitted. */
export const omitted = Symbol("omitted");

const byFormat: Record<string, () => string> = {
  "date-time": () => new Date(Date.now() + 86_400_000).toISOString(),
  date: () => "1990-01-01",
  email: () => "somebody@example.com",
  duration: () => "PT1H",
};

const plain = [
  "x",
  "a longer secret text 4711",
  "PT1H",
  "2030-01-01T00:00:00Z",
  "en",
  "EUR",
  "https://shop.example",
  "a",
  "1",
  "30",
  "01234567-89ab-cdef-0123-456789abcdef",
  "c2Vh".repeat(27),
  "0a".repeat(32),
  "header.claims.signature",
];

function sampleText(schema: Schema): string {
  const byName = byFormat[schema.format ?? ""]?.();
  if (byName !== undefined) return byName;
  const matches = (text: string) =>
    text.length >= (schema.minLength ?? 0) &&
    text.length <= (schema.maxLength ?? 1e9) &&
    (!schema.pattern || new RegExp(schema.pattern, "u").test(text));
  return plain.find(matches) ?? plain[0] ?? "";
}

/** Creates values that a schema accepts, with the test's own value wherever `valueNamed` returns one for a property's name. */
export function sampleMaker(
  components: Record<string, Schema>,
  valueNamed: (name: string) => unknown,
) {
  const make = (schema: Schema | undefined, name: string, depth: number): unknown => {
    if (!schema || depth > 8) return undefined;
    if (schema.$ref) return make(components[schema.$ref.split("/").pop() ?? ""], name, depth + 1);
    const named = valueNamed(name);
    if (named === omitted) return undefined;
    const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    // A list that may be null: the test's value is for its items.
    if (choices?.[0]?.type === "array") return make(choices[0], name, depth + 1);
    const isOwn = schema.enum || schema.const !== undefined || schema.format === "email";
    const own = isOwn ? undefined : named;
    if (own !== undefined && schema.type !== "array" && schema.type !== "object") return own;
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    if (choices) return make(choices[0], name, depth + 1);
    return makeTyped(schema, name, depth);
  };
  const makeTyped = (schema: Schema, name: string, depth: number): unknown => {
    if (schema.type === "array") return [make(schema.items, name, depth + 1)];
    if (schema.type === "object" || schema.properties) {
      const properties = Object.entries(schema.properties ?? {}).map(([property, one]) => [
        property,
        make(one, property, depth + 1),
      ]);
      return Object.fromEntries(properties.filter(([, value]) => value !== undefined));
    }
    if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
    if (schema.type === "boolean") return true;
    return schema.type === "null" ? null : sampleText(schema);
  };
  return (schema: Schema) => make(schema, "", 0);
}
