import type { DocumentNode as Schema } from "./document-node";

/**
 * The breaking changes of a newer version of an OpenAPI document for clients of an older one. `/v1` only grows: operations, parameters,
 * media types, response fields, codes and values may be added, never removed, and every valid request stays valid.
 */
export function breakingChanges(older: Schema, newer: Schema): string[] {
  const comparison = new Comparison(older, newer);
  for (const [path, methods] of Object.entries<Schema>(older.paths))
    for (const [method, operation] of Object.entries<Schema>(methods))
      comparison.operation(
        `${method.toUpperCase()} ${path}`,
        operation,
        newer.paths[path]?.[method],
      );
  return comparison.found;
}

const resolve = (document: Schema, node: Schema): Schema =>
  typeof node?.$ref === "string"
    ? resolve(
        document,
        node.$ref
          .slice(2)
          .split("/")
          .reduce((at: Schema, name: string) => at?.[name], document),
      )
    : node;

const typesOf = (schema: Schema): string[] | undefined =>
  schema.type === undefined ? undefined : [schema.type].flat();
const valuesOf = (schema: Schema): unknown[] | undefined =>
  schema.const === undefined ? schema.enum : [schema.const];
const branchesOf = (schema: Schema): Schema[] | undefined => schema.anyOf ?? schema.oneOf;

/** Bounds that a newer request schema may only widen: -1 where a smaller value is wider. */
const bounds: Record<string, 1 | -1> = {
  maxLength: 1,
  maximum: 1,
  maxItems: 1,
  maxProperties: 1,
  minLength: -1,
  minimum: -1,
  minItems: -1,
};

class Comparison {
  found: string[] = [];
  readonly #older: Schema;
  readonly #newer: Schema;

  constructor(older: Schema, newer: Schema) {
    this.#older = older;
    this.#newer = newer;
  }

  #check(isKept: boolean, at: string, what: string): void {
    if (!isKept) this.found.push(`${at}: ${what}`);
  }

  operation(at: string, older: Schema, newer: Schema | undefined): void {
    this.#check(newer !== undefined, at, "is removed");
    if (!newer) return;
    this.#check(older.operationId === newer.operationId, at, "has another operationId");
    for (const scheme of (older.security ?? []).flatMap((one: object) => Object.keys(one)))
      this.#check(
        newer.security.length === 0 || newer.security.some((one: object) => scheme in one),
        at,
        `no longer accepts ${scheme}`,
      );
    this.#parameters(at, older.parameters ?? [], newer.parameters ?? []);
    this.#body(at, older.requestBody, newer.requestBody);
    for (const [status, response] of Object.entries<Schema>(older.responses))
      if (status.startsWith("2"))
        this.#response(`${at} ${status}`, response, newer.responses[status]);
  }

  #parameters(at: string, olderOnes: Schema[], newerOnes: Schema[]): void {
    const older = olderOnes.map((one) => resolve(this.#older, one));
    const newer = newerOnes.map((one) => resolve(this.#newer, one));
    const isSame = (one: Schema) => (other: Schema) =>
      one.in === other.in && one.name === other.name;
    for (const one of older) {
      const kept = newer.find(isSame(one));
      this.#check(kept !== undefined, at, `parameter ${one.name} is removed`);
      if (kept) this.#request(`${at} ?${one.name}`, one.schema, kept.schema);
    }
    for (const one of newer)
      this.#check(
        !one.required || older.find(isSame(one))?.required === true,
        at,
        `parameter ${one.name} is required now`,
      );
  }

  #body(at: string, older: Schema | undefined, newer: Schema | undefined): void {
    this.#check(!newer?.required || older?.required === true, at, "a body is required now");
    for (const [type, { schema }] of Object.entries<Schema>(older?.content ?? {})) {
      const kept = newer?.content?.[type];
      this.#check(kept !== undefined, at, `no longer reads ${type}`);
      if (kept) this.#request(`${at} body`, schema, kept.schema);
    }
  }

  #response(at: string, older: Schema, newer: Schema | undefined): void {
    this.#check(newer !== undefined, at, "is no longer a response");
    for (const [type, { schema }] of Object.entries<Schema>(older.content ?? {})) {
      const kept = newer?.content?.[type];
      this.#check(kept !== undefined || !newer, at, `no longer has ${type}`);
      if (kept) this.#answer(at, schema, kept.schema);
    }
  }

  /** The newer schema accepts everything that the older one accepts. */
  #request(at: string, olderGiven: Schema, newerGiven: Schema): void {
    const [older, newer] = [resolve(this.#older, olderGiven), resolve(this.#newer, newerGiven)];
    const [types, values] = [typesOf(newer), valuesOf(newer)];
    if (types)
      this.#check(
        typesOf(older)?.every((type) => types.includes(type)) ?? false,
        at,
        "accepts fewer types",
      );
    if (values)
      this.#check(
        valuesOf(older)?.every((value) => values.includes(value)) ?? false,
        at,
        "accepts fewer values",
      );
    for (const [bound, sign] of Object.entries(bounds))
      if (newer[bound] !== undefined)
        this.#check(
          older[bound] !== undefined && sign * (newer[bound] - older[bound]) >= 0,
          at,
          `has a narrower ${bound}`,
        );
    for (const name of ["pattern", "format"])
      this.#check(
        newer[name] === undefined || newer[name] === older[name],
        at,
        `has a new ${name}`,
      );
    this.#requestMembers(at, older, newer);
    this.#branches(at, older, newer, (one, other) => this.#isRequestKept(one, other));
    if (older.items && newer.items) this.#request(`${at}[]`, older.items, newer.items);
  }

  #requestMembers(at: string, older: Schema, newer: Schema): void {
    const required: string[] = older.required ?? [];
    for (const name of newer.required ?? [])
      this.#check(required.includes(name), at, `${name} is required now`);
    for (const [name, schema] of Object.entries<Schema>(older.properties ?? {})) {
      const kept = newer.properties?.[name];
      const isOpen = newer.additionalProperties !== false;
      this.#check(kept !== undefined || isOpen, at, `${name} is no longer accepted`);
      if (kept) this.#request(`${at}/${name}`, schema, kept);
    }
    this.#check(
      newer.additionalProperties !== false || older.additionalProperties === false,
      at,
      "no longer accepts other properties",
    );
  }

  #isRequestKept(older: Schema, newer: Schema): boolean {
    const trial = new Comparison(this.#older, this.#newer);
    trial.#request("", older, newer);
    return trial.found.length === 0;
  }

  /** The newer schema has everything that a client of the older one reads. */
  #answer(at: string, olderGiven: Schema, newerGiven: Schema): void {
    const [older, newer] = [resolve(this.#older, olderGiven), resolve(this.#newer, newerGiven)];
    const types = typesOf(older);
    if (types)
      this.#check(
        typesOf(newer)?.every((type) => types.includes(type)) ?? false,
        at,
        "has other types",
      );
    const required: string[] = newer.required ?? [];
    for (const name of older.required ?? [])
      this.#check(required.includes(name), at, `${name} may be missing now`);
    for (const [name, schema] of Object.entries<Schema>(older.properties ?? {})) {
      const kept = newer.properties?.[name];
      this.#check(kept !== undefined, at, `${name} is removed`);
      if (kept) this.#answer(`${at}/${name}`, schema, kept);
    }
    this.#branches(at, older, newer, (one, other) => this.#isAnswerKept(one, other));
    if (older.items && newer.items) this.#answer(`${at}[]`, older.items, newer.items);
  }

  #isAnswerKept(older: Schema, newer: Schema): boolean {
    const trial = new Comparison(this.#older, this.#newer);
    trial.#answer("", older, newer);
    return trial.found.length === 0;
  }

  #branches(
    at: string,
    older: Schema,
    newer: Schema,
    isKept: (older: Schema, newer: Schema) => boolean,
  ): void {
    const others = branchesOf(newer);
    for (const [index, branch] of (branchesOf(older) ?? []).entries())
      this.#check(
        others?.some((other) => isKept(branch, other)) ?? isKept(branch, newer),
        at,
        `alternative ${index + 1} is removed or narrower`,
      );
  }
}
