/** What an example is created from: a JSON Schema of the OpenAPI document. */
export interface ExampleSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: ExampleSchema[];
  oneOf?: ExampleSchema[];
  items?: ExampleSchema;
  minItems?: number;
  properties?: Record<string, ExampleSchema>;
  required?: string[];
  minimum?: number;
  minLength?: number;
  example?: unknown;
  default?: unknown;
}

const byFormat: Readonly<Record<string, string>> = {
  "date-time": "2030-12-31T23:59:59Z",
  date: "1990-12-31",
  email: "ada@example.com",
  uri: "https://shop.example",
  duration: "PT1H",
};

/** Tried in this order until one matches the pattern and the length. */
const texts = [
  "example",
  "PT1H",
  "P30D",
  "de-DE",
  "en",
  "EUR",
  "DE",
  "2030-12-31T23:59:59Z",
  "1990-12-31",
  "https://shop.example",
  "Europe/Berlin",
  "192.0.2.0/24",
  "GET",
  "four words in a row",
];

function exampleText({ format, pattern, minLength = 0 }: ExampleSchema): string {
  const byName = byFormat[format ?? ""];
  if (byName !== undefined) return byName;
  const isMatch = (text: string) =>
    text.length >= minLength && (pattern === undefined || new RegExp(pattern, "u").test(text));
  return texts.find(isMatch) ?? "example".padEnd(minLength, "-");
}

type Schemas = Readonly<Record<string, ExampleSchema>>;

function exampleObject({ properties = {}, required = [] }: ExampleSchema, schemas: Schemas) {
  return Object.fromEntries(
    required.flatMap((name) => {
      const property = properties[name];
      return property ? [[name, exampleOf(property, schemas)]] : [];
    }),
  );
}

/** The schema itself, or the named one that it refers to. */
export const resolved = (schema: ExampleSchema, schemas: Schemas): ExampleSchema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});

/** A small value that a schema accepts: required properties, first choices, lists as short as they may be. */
export function exampleOf(schema: ExampleSchema, schemas: Schemas): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.$ref !== undefined) return exampleOf(resolved(schema, schemas), schemas);
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return exampleOf(first, schemas);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "string") return exampleText(schema);
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return Math.max(schema.minimum ?? 0, 1);
  if (type === "array")
    return Array.from({ length: schema.minItems ?? 0 }, () =>
      exampleOf(schema.items ?? {}, schemas),
    );
  return exampleObject(schema, schemas);
}
