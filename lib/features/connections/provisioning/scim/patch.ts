import { type Filter, filter as matcherOf } from "scim2-parse-filter";
import {
  attributeNamed,
  isPlain,
  knownAttributes,
  knownValue,
  partNamed,
  userSchema,
} from "./attributes";
import { parseFilter } from "./filter";
import type { Resource } from "./resource";
import { ScimError } from "./scim-error";

/*
 * The operations of a PATCH (RFC 7644, 3.5.2), as Okta and Entra ID send them:
 *
 *     op      case-insensitive
 *     path    attribute[filter].part, after the schema's name. The grammar of the RFC excludes names such as __proto__.
 *             Attributes that are not stored are skipped
 *     value   only its known parts; without a path each of its properties is an operation with that path
 */

const maxOperations = 200;
/** The most values of one attribute between operations; the final resource may be limited to fewer. */
const maxValues = 100;
const maxPathLength = 512;

const pathPattern =
  /^(?:(urn:[A-Za-z0-9:._-]{1,120}):)?([A-Za-z][\w-]{0,63})(?:\[([^[\]]{1,256})\])?(?:\.([A-Za-z][\w-]{0,63}))?$/;

/** The target of an operation, with canonical names. */
interface Path {
  attribute: string;
  filter?: Filter;
  part?: string;
}

type Verb = "add" | "replace" | "remove";

interface Operation extends Path {
  op: Verb;
  value?: unknown;
}

/** An operation on one path, before its attribute is checked. */
export interface PathOperation {
  op: Verb;
  path: string;
  value: unknown;
}

export const invalidPath = () =>
  new ScimError(400, "invalidPath", "A path of the operations is not valid.");

const readOnly = ["id", "meta", "schemas"];

interface PathParts {
  schema: string | undefined;
  name: string;
  filter: string | undefined;
  part: string | undefined;
}

/** The parts of a path, as they were written. Throws invalidPath. */
export function splitPath(path: string): PathParts {
  const [, schema, name = "", filter, part] =
    path.length > maxPathLength ? [] : (pathPattern.exec(path) ?? []);
  if (name === "") throw invalidPath();
  return { schema, name, filter, part };
}

/** Undefined for an attribute that is not stored. Throws invalidPath, invalidFilter and mutability. */
function readPath(path: string): Path | undefined {
  const { schema, name, filter, part } = splitPath(path);
  if (schema !== undefined && schema.toLowerCase() !== userSchema.toLowerCase()) return undefined;
  if (readOnly.includes(name.toLowerCase()))
    throw new ScimError(400, "mutability", `${name.toLowerCase()} is set by this service.`);
  const attribute = attributeNamed(name);
  const known = attribute && part !== undefined ? partNamed(attribute, part) : undefined;
  if (attribute === undefined || (part !== undefined && known === undefined)) return undefined;
  if (filter !== undefined && attribute !== "emails") throw invalidPath();
  return {
    attribute,
    ...(filter !== undefined && { filter: parseFilter(filter) }),
    ...(known !== undefined && { part: known }),
  };
}

/** Values that mean "no value". */
const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length);

function operationAt({ op, path: text, value }: PathOperation): Operation[] {
  const path = readPath(text);
  if (!path || (op === "add" && isEmpty(value))) return [];
  if (op === "remove" || isEmpty(value)) return [{ op: "remove", ...path }];
  return [{ op, ...path, value: knownValue(path.attribute, value) }];
}

const invalidSyntax = (detail: string) => new ScimError(400, "invalidSyntax", detail);

function pathOperations(given: unknown): PathOperation[] {
  if (!isPlain(given)) throw invalidSyntax("Each operation must be an object.");
  const { op, path, value } = given;
  const verb = typeof op === "string" ? op.toLowerCase() : "";
  if (verb !== "add" && verb !== "replace" && verb !== "remove")
    throw invalidSyntax("op must be add, replace or remove.");
  if (typeof path === "string" && path !== "") return [{ op: verb, path, value }];
  if (!isEmpty(path)) throw invalidPath();
  if (verb === "remove") throw new ScimError(400, "noTarget", "remove needs a path.");
  if (!isPlain(value))
    throw new ScimError(400, "invalidValue", "Without a path, value must be an object.");
  return Object.entries(value)
    .filter(([name]) => !readOnly.includes(name.toLowerCase()))
    .map(([name, one]) => ({ op: verb, path: name, value: one }));
}

/** The operations of a body, one for each path. Throws invalidSyntax, and 413 for too many. */
export function operationsOf(body: Resource): PathOperation[] {
  const [, list] = Object.entries(body).find(([name]) => name.toLowerCase() === "operations") ?? [];
  if (!Array.isArray(list) || list.length === 0)
    throw invalidSyntax("Operations must be a list with at least one operation.");
  if (list.length > maxOperations)
    throw new ScimError(413, "tooMany", `Send at most ${maxOperations} operations at once.`);
  return list.flatMap(pathOperations);
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** An object, or one of its parts, after an operation on it. */
function changed(before: unknown, { op, part, value }: Operation): unknown {
  const object = isPlain(before) ? before : {};
  if (part === undefined) return isPlain(value) ? { ...object, ...value } : value;
  const { [part]: _, ...others } = object;
  return op === "remove" ? others : { ...others, [part]: value };
}

/** The properties of a new address that a filter such as `type eq "work"` implies. */
function described(filter: Filter | undefined): Resource {
  if (filter === undefined) return {};
  if (filter.op === "and") return Object.assign({}, ...filter.filters.map(described));
  const part = filter.op === "eq" ? partNamed("emails", filter.attrPath) : undefined;
  return filter.op === "eq" && part !== undefined ? { [part]: filter.compValue } : {};
}

/** A list of values after an operation on those that the filter selects. If it selects none, a set value is added. */
function changedList(before: unknown[], operation: Operation): unknown[] {
  const { op, filter, part, value } = operation;
  if (filter === undefined && part === undefined)
    return op === "add" ? [...before, ...asList(value)] : asList(value);
  const matches = filter === undefined ? () => true : matcherOf(filter);
  const selected = new Set(before.filter((one) => matches(one)));
  if (op === "remove" && part === undefined) return before.filter((one) => !selected.has(one));
  if (op !== "remove" && selected.size === 0)
    return [...before, changed(described(filter), operation)];
  return before.map((one) => (selected.has(one) ? changed(one, operation) : one));
}

function applied(attributes: Resource, operation: Operation): Resource {
  const { op, attribute, part, filter } = operation;
  const { [attribute]: before, ...others } = attributes;
  if (op === "remove" && part === undefined && filter === undefined) return others;
  if (attribute === "emails") {
    const emails = changedList(isEmpty(before) ? [] : asList(before), operation);
    if (emails.length > maxValues)
      throw new ScimError(400, "tooMany", "emails has too many values.");
    return { ...others, emails };
  }
  return { ...others, [attribute]: changed(before, operation) };
}

/** The attributes of a resource after the operations of a PATCH. Throws a ScimError. */
export function patched(resource: Resource, body: Resource): Resource {
  const operations = operationsOf(body).flatMap(operationAt);
  return operations.reduce(applied, knownAttributes(resource));
}
