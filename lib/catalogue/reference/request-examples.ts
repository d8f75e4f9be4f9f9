import type { Endpoint } from "@/lib/protocol/endpoint";
import { type Components, exampleMaker, type JsonSchema, type Reader } from "./examples";

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isOfSignIn = (limit: Endpoint["limits"]["address"]) =>
  limit === "login" || limit === "passkey-options";

/** A sign-in repeats the tenant of its header in its body; other bodies with a tenant mean another one. */
const readerOf = ({ limits, scope }: Endpoint, { tenant, site }: Reader) => ({
  reader: {
    site: scope !== "none" ? site : "eu-store",
    tenant: scope !== "none" && isOfSignIn(limits.address) ? tenant : "demo",
  },
});

/** An example of an operation's body: fields required by its schema, and those of its contract's example. Undefined without a body. */
export function bodyExample(
  declared: Endpoint,
  schema: unknown,
  components: Components,
  reader: Reader,
): unknown {
  if (!declared.body) return undefined;
  const make = exampleMaker(components, { isWhole: false, ...readerOf(declared, reader) });
  const required = make(schema);
  const own = declared.example?.body;
  return isObject(required) && isObject(own) ? { ...required, ...own } : (own ?? required);
}

export interface QueryParameter {
  name: string;
  required?: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface QueryValue {
  name: string;
  value: string;
  /** Whether it is required, by its schema or by the contract's example. */
  isSent: boolean;
  description: string | undefined;
}

/** A value for each parameter of a query; an object parameter has a value for each of its fields. */
export function queryExample(
  declared: Endpoint,
  parameters: readonly QueryParameter[],
  components: Components,
  reader: Reader,
): QueryValue[] {
  const make = exampleMaker(components, { isWhole: false, ...readerOf(declared, reader) });
  const own = declared.example?.query ?? {};
  return parameters.flatMap(({ name, required = false, description, schema }) => {
    const value = own[name] ?? make(schema, name);
    const isSent = required || own[name] !== undefined;
    const pairs = isObject(value)
      ? Object.entries(value).map(([field, inner]) => [`${name}[${field}]`, inner] as const)
      : [[name, value] as const];
    return pairs.map(([key, one]) => ({ name: key, value: String(one), isSent, description }));
  });
}
