import type { Operation } from "./isolation-requests";
import { makerOf, pathOf } from "./isolation-requests";
import type { IsolationWorld } from "./isolation-world";
import type { Schema } from "./sample-bodies";

type Path = (string | number)[];

/** A text in the input of an operation: a field of its body, or a parameter of its query or path. */
export interface TextMember {
  /** As `reason` names it. */
  pointer: string;
  /** Path to the field of the body; the name of a parameter. */
  path: Path;
  schema: Schema;
}

export interface TextOperation {
  name: string;
  method: string;
  template: string;
  /** The path as it is sent, with sample ids. */
  path: string;
  type: string | undefined;
  body: unknown;
  members: TextMember[];
  /** Pointers to fields stored byte for byte. */
  bytes: string[];
  query: TextMember[];
  variables: TextMember[];
  /** Names of security schemes. */
  schemes: string[];
}

const pointerOf = (path: Path) => path.map((step) => `/${step}`).join("");

/** The texts of a value created from the schema. */
function textsOf(
  schema: Schema | undefined,
  value: unknown,
  components: Record<string, Schema>,
  path: Path = [],
): TextMember[] {
  if (!schema || value === undefined) return [];
  const within = (inner: Schema | undefined, item: unknown, ...step: Path) =>
    textsOf(inner, item, components, [...path, ...step]);
  const name = schema.$ref?.split("/").pop();
  if (name !== undefined) return within(components[name], value);
  const choice = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0];
  if (choice && !schema.properties)
    return within(schema["x-text"] ? { ...choice, "x-text": schema["x-text"] } : choice, value);
  if (typeof value === "string" && !schema.enum && schema.const === undefined)
    return [{ pointer: pointerOf(path), path, schema }];
  if (Array.isArray(value))
    return value.flatMap((item, index) => within(schema.items, item, index));
  if (typeof value !== "object" || value === null) return [];
  if (schema["x-text"] === "bytes") return [{ pointer: pointerOf(path), path, schema }];
  const { properties = {}, additionalProperties } = schema;
  const others = typeof additionalProperties === "object" ? additionalProperties : undefined;
  return Object.entries(value).flatMap(([step, item]) =>
    within(properties[step] ?? others, item, step),
  );
}

/** An operation's input, with a sample in which every declared field is present. */
export function textOperation(
  { name, declared }: Operation,
  world: IsolationWorld,
  components: Record<string, Schema>,
): TextOperation {
  const make = makerOf(name, world, components);
  const [method = "", template = ""] = name.split(" ");
  const [type, content] = Object.entries(declared.requestBody?.content ?? {})[0] ?? [];
  const body = content && make(content.schema);
  const parameters = declared.parameters ?? [];
  const query = parameters
    .filter((one) => one.in === "query")
    .map(({ name: step, schema }) => ({ pointer: `?${step}`, path: [step], schema }));
  const variables = [...template.matchAll(/\{(\w+)\}/g)].map(([pointer, step = ""]) => ({
    pointer,
    path: [step],
    schema: {},
  }));
  const schemes = (declared.security ?? []).flatMap((one) => Object.keys(Object(one)));
  const path = pathOf(template, world);
  const all = type === "application/x-ndjson" ? [] : textsOf(content?.schema, body, components);
  const isBytes = ({ schema }: TextMember) => schema["x-text"] === "bytes";
  const members = all.filter((one) => !isBytes(one));
  const bytes = all.filter(isBytes).map(({ pointer }) => pointer);
  return { name, method, template, path, type, body, members, bytes, query, variables, schemes };
}

/** The texts of a line of the import, with a line that has all of them. */
export function importedLine({ name, declared }: Operation, components: Record<string, Schema>) {
  const content = Object.values(declared.requestBody?.content ?? {})[0];
  const line = makerOf(name, {} as IsolationWorld, components)(content?.schema ?? {});
  return { line, members: textsOf(content?.schema, line, components) };
}

/** The value with some of its texts replaced. */
export function withTexts(value: unknown, paths: readonly Path[], text: string): unknown {
  const copy = structuredClone(value);
  for (const path of paths) {
    let at = copy as Record<string | number, unknown> | undefined;
    for (const step of path.slice(0, -1)) at = at?.[step] as typeof at;
    if (at) at[path.at(-1) ?? ""] = text;
  }
  return copy;
}

/** The value without the field at a pointer; for an item of a list the whole list is removed. */
export function without(value: unknown, pointer: string): unknown {
  const copy = structuredClone(value);
  const steps = pointer.split("/").slice(1);
  const end = steps.findIndex((step) => /^\d+$/.test(step));
  const path = end === -1 ? steps : steps.slice(0, end);
  let at = copy as Record<string, unknown> | undefined;
  for (const step of path.slice(0, -1)) at = at?.[step] as typeof at;
  if (at) delete at[path.at(-1) ?? ""];
  return copy;
}
