import { z } from "zod";
import { fieldDescription } from "./field-descriptions";

export type Json = Record<string, unknown>;
export type Direction = "input" | "output";
/** The meaning of a field of this name if its schema has no description. */
export type Describe = (name: string) => string | undefined;

/** Metadata from Zod's global registry, with a name for each schema that a contract exports. */
class NamingRegistry extends z.core.$ZodRegistry<Record<string, unknown>> {
  readonly #names: ReadonlyMap<z.core.$ZodType, string>;
  constructor(names: ReadonlyMap<z.core.$ZodType, string>) {
    super();
    this.#names = names;
  }
  // biome-ignore lint/suspicious/noExplicitAny: the type that the class of Zod declares.
  override get(schema: z.core.$ZodType): any {
    const known = z.globalRegistry.get(schema);
    const id = known?.id ?? this.#names.get(schema);
    return id === undefined ? known : { ...known, id };
  }
}

const ofText = ["pattern", "minLength", "maxLength", "format"] as const;

/** A value sent as text is validated as text, and described as the value it represents. */
function dropChecksOfText(schema: Json): void {
  for (const name of ofText) delete schema[name];
  if (schema.type === "boolean") delete schema.enum;
}

function dropUnlisted(schema: Json): void {
  const properties = schema.properties as Record<string, Json> | undefined;
  for (const [name, property] of Object.entries(properties ?? {}))
    if (property["x-unlisted"]) delete properties?.[name];
}

/** Requests are closed, responses are open: clients ignore unknown fields. */
function openResponses(schema: Json, io: Direction): void {
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}

/** No string in a body is longer than the largest body, and no list has more items than the largest quota of a tenant. */
const maxLength = 262_144;
const maxItems = 1_000_000;

/** Every value has a bound, so that a client can reserve space for it. */
function bound(schema: Json): void {
  if (schema.type === "string" && schema.enum === undefined && schema.const === undefined)
    schema.maxLength ??= maxLength;
  if (schema.type === "array") schema.maxItems ??= maxItems;
  if (schema.type !== "integer") return;
  schema.minimum ??= 0;
  schema.maximum ??= Number.MAX_SAFE_INTEGER;
  schema.format ??= Number(schema.maximum) < 2 ** 31 ? "int32" : "int64";
}

/** Describes the allowed text only for fields exempt from the rule of text; accepted white space and line breaks are not described. */
function normalise(schema: Json, io: Direction): void {
  if (["trimmed", "lines"].includes(String(schema["x-text"]))) delete schema["x-text"];
  if (["integer", "number", "boolean", "object"].includes(String(schema.type)))
    dropChecksOfText(schema);
  if (schema.type === "object" && schema.properties === undefined)
    schema.additionalProperties ??= true;
  dropUnlisted(schema);
  openResponses(schema, io);
  bound(schema);
}

const mark = (io: Direction) => `#/components/schemas/${io}:`;
const marks = /#\/components\/schemas\/(input|output):([A-Za-z0-9_]+)/g;

/** Collects named schemas: each is in components once, or twice if requests and responses differ. */
export class SchemaWriter {
  readonly #registry: NamingRegistry;
  readonly #found: Record<Direction, Map<string, string>> = { input: new Map(), output: new Map() };

  constructor(names: ReadonlyMap<z.core.$ZodType, string>) {
    this.#registry = new NamingRegistry(names);
  }

  /** The schema, or a reference to it if it has a name. `settle` resolves the references. */
  write(schema: z.ZodType, io: Direction, descriptionOf: Describe = fieldDescription): Json {
    const { $defs = {}, properties } = z.toJSONSchema(z.object({ root: schema }), {
      io,
      unrepresentable: "any",
      target: "draft-2020-12",
      metadata: this.#registry,
      override: ({ jsonSchema }) => normalise(jsonSchema as Json, io),
    }) as unknown as { $defs?: Record<string, Json>; properties: { root: Json } };
    for (const [name, { id: _, ...definition }] of Object.entries($defs))
      this.#found[io].set(name, this.#point(definition, io, descriptionOf));
    return JSON.parse(this.#point(properties.root, io, descriptionOf));
  }

  /** The schema under a name that its contract does not export. */
  writeNamed(name: string, schema: z.ZodType, io: Direction): Json {
    const written = this.write(schema, io);
    if (typeof written.$ref === "string") return written;
    this.#found[io].set(name, JSON.stringify(written));
    return { $ref: `${mark(io)}${name}` };
  }

  /** The target of a reference, or the schema itself. */
  resolve(schema: Json): Json {
    const [, io, name] = String(schema.$ref).match(new RegExp(marks.source)) ?? [];
    const text = this.#found[io as Direction]?.get(name ?? "");
    return text === undefined ? schema : { ...JSON.parse(text), ...schema, $ref: undefined };
  }

  /** The document with its final references, and the schemas that they refer to. */
  settle(document: Json): { document: Json; schemas: Json } {
    const differing = this.#differing();
    const final = (io: string, name: string) =>
      io === "input" && differing.has(name) ? `${name}Input` : name;
    const settled = (text: string): Json =>
      JSON.parse(text.replace(marks, (_, io, name) => `#/components/schemas/${final(io, name)}`));
    const schemas = (["output", "input"] as const).flatMap((io) =>
      [...this.#found[io]].map(([name, text]): [string, Json] => [final(io, name), settled(text)]),
    );
    return {
      document: settled(JSON.stringify(document)),
      schemas: Object.fromEntries(schemas.sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }

  /** Serialised first: until then, fields that use one schema share one object, and all would get the same description. */
  #point(schema: Json, io: Direction, descriptionOf: Describe): string {
    const described = JSON.parse(JSON.stringify(schema), (_, node) => {
      if (typeof node === "object" && node !== null) describeFields(node, descriptionOf);
      return node;
    });
    return JSON.stringify(described).replaceAll('"#/$defs/', `"${mark(io)}`);
  }

  /** Names whose schema differs between request and response, directly or through a reference. */
  #differing(): Set<string> {
    const { input, output } = this.#found;
    const shared = [...input.keys()].filter((name) => output.has(name));
    const neutral = (text = "") => text.replace(marks, "$2");
    const found = new Set(
      shared.filter((name) => neutral(input.get(name)) !== neutral(output.get(name))),
    );
    const refersToFound = (name: string) =>
      [...(input.get(name) ?? "").matchAll(marks)].some(([, , other = ""]) => found.has(other));
    for (let size = -1; size !== found.size; ) {
      size = found.size;
      for (const name of shared.filter(refersToFound)) found.add(name);
    }
    return found;
  }
}

/** Gives every property of an object a description. */
function describeFields(schema: Json, descriptionOf: Describe): void {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  for (const [name, property] of Object.entries(properties)) {
    const description = descriptionOf(name);
    if (property.description === undefined && description !== undefined)
      property.description = description;
  }
}
