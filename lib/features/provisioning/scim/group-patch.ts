import { filter as matcherOf } from "scim2-parse-filter";
import { parseFilter } from "./filter";
import { type Group, groupSchema, memberIds, readGroup } from "./group-attributes";
import { invalidPath, operationsOf, type PathOperation, splitPath } from "./patch";
import type { Resource } from "./resource";
import { ScimError } from "./scim-error";

/** A group between the operations of a PATCH. */
interface Draft {
  displayName: unknown;
  externalId: unknown;
  members: ReadonlySet<string>;
}

/** The members after an operation on them: a list of ids, or those that a filter such as value eq "user_1" selects. */
function changedMembers(
  before: ReadonlySet<string>,
  { op, value }: PathOperation,
  filter: string | undefined,
): ReadonlySet<string> {
  if (filter !== undefined) {
    if (op !== "remove") throw invalidPath();
    const isSelected = matcherOf(parseFilter(filter));
    return new Set([...before].filter((id) => !isSelected({ value: id })));
  }
  const given = new Set(memberIds(value ?? undefined));
  if (op === "add") return new Set([...before, ...given]);
  if (op === "replace") return given;
  // Without a value, `members` itself is removed.
  return given.size === 0 ? given : new Set([...before].filter((id) => !given.has(id)));
}

const ownAttributes: Readonly<Record<string, "displayName" | "externalId" | undefined>> = {
  displayname: "displayName",
  externalid: "externalId",
};

function applied(draft: Draft, operation: PathOperation): Draft {
  const { schema, name, filter, part } = splitPath(operation.path);
  if (schema !== undefined && schema.toLowerCase() !== groupSchema.toLowerCase()) return draft;
  const attribute = name.toLowerCase();
  if (["id", "meta", "schemas"].includes(attribute))
    throw new ScimError(400, "mutability", `${attribute} is set by this service.`);
  const isMembers = attribute === "members";
  if (part !== undefined || (filter !== undefined && !isMembers)) throw invalidPath();
  if (isMembers) return { ...draft, members: changedMembers(draft.members, operation, filter) };
  const own = Object.hasOwn(ownAttributes, attribute) ? ownAttributes[attribute] : undefined;
  if (own === undefined) return draft;
  const value = operation.op === "remove" ? undefined : (operation.value ?? undefined);
  return { ...draft, [own]: value };
}

/** A group after the operations of a PATCH. Throws a ScimError. */
export function patchedGroup({ name, externalId, members }: Group, body: Resource): Group {
  const draft = { displayName: name, externalId: externalId ?? undefined, members };
  return readGroup(operationsOf(body).reduce<Draft>(applied, draft));
}
