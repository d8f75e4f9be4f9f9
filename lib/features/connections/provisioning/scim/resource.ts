import { userSchema } from "./attributes";
import type { PersonRow } from "./person-rows";
import { ScimError } from "./scim-error";

export type Resource = Record<string, unknown>;

/** A user as a SCIM resource. */
export function toResource(row: PersonRow, base: string): Resource {
  const { userId: id, login, name, emailAddress, externalId, givenName, familyName } = row;
  return {
    schemas: [userSchema],
    id,
    ...(externalId !== null && { externalId }),
    userName: login,
    name: {
      formatted: name,
      ...(givenName !== null && { givenName }),
      ...(familyName !== null && { familyName }),
    },
    displayName: name,
    emails: [{ value: emailAddress, type: "work", primary: true }],
    active: row.state !== "deactivated",
    meta: {
      resourceType: "User",
      created: row.registeredAt.toISOString(),
      lastModified: (row.changedAt ?? row.registeredAt).toISOString(),
      location: `${base}/Users/${id}`,
    },
  };
}

const maxNames = 50;

/** Names of attributes, separated by commas, in lower case and without the schema prefix. */
function namesIn(text: string | null): string[] | undefined {
  if (text === null || text.trim() === "") return undefined;
  const found = text.split(",", maxNames + 1).map((name) => name.trim().toLowerCase());
  if (found.length > maxNames)
    throw new ScimError(400, "invalidValue", `Name at most ${maxNames} attributes.`);
  return found.map((name) => name.replace(/^urn:.*:(?=[^:]+$)/, ""));
}

const always = ["schemas", "id"];

/** Keeps the properties of an object for which `isKept` is true, also nested ones by paths such as `name.givenname`. */
function pick(value: Resource, isKept: (name: string) => boolean | "parts", prefix = ""): Resource {
  const kept = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const path = `${prefix}${name.toLowerCase()}`;
    const verdict = isKept(path);
    if (verdict === true) return [[name, part]];
    if (verdict === false) return [];
    const parts = (one: unknown) => pick(Object(one), isKept, `${path}.`);
    return [[name, Array.isArray(part) ? part.map(parts) : parts(part)]];
  });
  return Object.fromEntries(kept);
}

/** Applies `attributes` and `excludedAttributes` to a resource. */
export function project(query: URLSearchParams): (resource: Resource) => Resource {
  const wanted = namesIn(query.get("attributes"));
  const unwanted = namesIn(query.get("excludedAttributes"));
  const hasParts = (list: string[], path: string) =>
    list.some((name) => name.startsWith(`${path}.`)) && !path.includes(".");
  if (wanted)
    return (resource) =>
      pick(resource, (path) => {
        if (always.includes(path) || wanted.includes(path)) return true;
        return hasParts(wanted, path) && "parts";
      });
  if (unwanted)
    return (resource) =>
      pick(resource, (path) => {
        if (always.includes(path)) return true;
        if (unwanted.includes(path)) return false;
        return hasParts(unwanted, path) ? "parts" : true;
      });
  return (resource) => resource;
}

/** Whether the response to the query contains the attribute, or a part of it. */
export function isAsked(query: URLSearchParams, attribute: string): boolean {
  const wanted = namesIn(query.get("attributes"));
  if (wanted) return wanted.some((name) => name.split(".", 1)[0] === attribute);
  return !namesIn(query.get("excludedAttributes"))?.includes(attribute);
}
