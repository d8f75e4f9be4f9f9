import type { Addition, ApiVersion } from "@/lib/catalogue/changelog";
import type { DocumentNode } from "./document-node";

/** One addition at one place. */
type Single = Pick<Addition, "kind" | "added"> & { at: string };

function resolve(document: DocumentNode, node: DocumentNode): DocumentNode {
  if (typeof node?.$ref !== "string") return node;
  const path: string[] = node.$ref.slice(2).split("/");
  return resolve(
    document,
    path.reduce((at: DocumentNode, name) => at?.[name], document),
  );
}

const namesOf = (document: DocumentNode, parameters: DocumentNode[] = []): string[] =>
  parameters.map((one) => {
    const { name, in: place } = resolve(document, one);
    return place === "query" ? `?${name}` : String(name);
  });

const schemesOf = (operation: DocumentNode): string[] =>
  (operation.security ?? []).flatMap((one: object) => Object.keys(one));

const codesOf = (operation: DocumentNode): string[] =>
  Object.entries<string[]>(operation["x-error-codes"] ?? {}).flatMap(([status, codes]) =>
    codes.map((code) => `${status} ${code}`),
  );

const missingIn = (older: string[], newer: string[]) =>
  [...new Set(newer)].filter((one) => !older.includes(one));

/** Fields of a named schema by path, each with its values where they are listed. */
function fieldsOf(schema: DocumentNode, at = ""): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const visit = (node: DocumentNode, path: string) => {
    if (typeof node !== "object" || node === null) return;
    for (const [name, property] of Object.entries<DocumentNode>(node.properties ?? {})) {
      const values: unknown[] = property.enum ?? property.items?.enum ?? [];
      found.set(`${path}${name}`, values.map(String));
      visit(property, `${path}${name}.`);
    }
    for (const one of [node.items, ...(node.anyOf ?? []), ...(node.oneOf ?? [])]) visit(one, path);
  };
  visit(schema, at);
  return found;
}

function ofOperation(
  at: string,
  [older, olderDocument]: [DocumentNode, DocumentNode],
  [newer, newerDocument]: [DocumentNode, DocumentNode],
): Single[] {
  const compared: [Addition["kind"], string[], string[]][] = [
    [
      "parameter",
      namesOf(olderDocument, older.parameters),
      namesOf(newerDocument, newer.parameters),
    ],
    ["credential", schemesOf(older), schemesOf(newer)],
    ["error", codesOf(older), codesOf(newer)],
  ];
  return compared.flatMap(([kind, before, after]) =>
    missingIn(before, after).map((added) => ({ kind, at, added })),
  );
}

function ofSchema(at: string, older: DocumentNode, newer: DocumentNode): Single[] {
  const before = fieldsOf(older);
  return [...fieldsOf(newer)].flatMap(([name, values]): Single[] => {
    const known = before.get(name);
    if (!known) return [{ kind: "field", at, added: name }];
    // A new list of values: there are no earlier values to compare with.
    if (known.length === 0) return [];
    return missingIn(known, values).map((value) => ({
      kind: "value",
      at,
      added: `${name}: ${value}`,
    }));
  });
}

/** The same addition in several places is reported once. */
function merged(all: Single[]): Addition[] {
  const found = new Map<string, Addition>();
  for (const { kind, added, at } of all) {
    const key = kind === "operation" ? `${kind} ${at}` : `${kind} ${added}`;
    const known = found.get(key);
    if (known) known.at.push(at);
    else found.set(key, { kind, added, at: [at] });
  }
  return [...found.values()];
}

/** The additions of a newer version of the OpenAPI document to an older one. */
export function additionsBetween(older: DocumentNode, newer: DocumentNode): Addition[] {
  const ofPaths = Object.entries<DocumentNode>(newer.paths).flatMap(([path, methods]) =>
    Object.entries<DocumentNode>(methods).flatMap(([method, operation]): Single[] => {
      const at = `${method.toUpperCase()} ${path}`;
      const before = older.paths[path]?.[method];
      return before
        ? ofOperation(at, [before, older], [operation, newer])
        : [{ kind: "operation", at, added: String(operation.summary) }];
    }),
  );
  const ofSchemas = Object.entries<DocumentNode>(newer.components.schemas).flatMap(
    ([name, schema]) => {
      const before = older.components.schemas[name];
      // Each error code is listed for the operations that may return it.
      return before && name !== "ErrorCode" ? ofSchema(name, before, schema) : [];
    },
  );
  const events = missingIn(Object.keys(older.webhooks ?? {}), Object.keys(newer.webhooks ?? {}));
  const ofEvents = events.map((added): Single => ({ kind: "event", at: "GET /v1/events", added }));
  return merged([...ofPaths, ...ofSchemas, ...ofEvents]);
}

/** The list of versions with one more addition: additions of one day are one version. */
export function withAdditions(
  versions: ApiVersion[],
  additions: Addition[],
  date: string,
): ApiVersion[] {
  if (additions.length === 0) return versions;
  const [newest, ...rest] = versions;
  return newest?.date === date
    ? [{ date, additions: [...newest.additions, ...additions] }, ...rest]
    : [{ date, additions }, ...versions];
}
