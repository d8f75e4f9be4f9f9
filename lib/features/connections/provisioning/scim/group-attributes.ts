import { filter as matcherOf } from "scim2-parse-filter";
import { z } from "zod";
import { maxGroupMembers } from "@/lib/features/connections/values";
import { boundedText, label, labelKey } from "@/lib/protocol/formats";
import { checkBody } from "@/lib/protocol/validation";
import { isPlain } from "./attributes";
import { parseFilter } from "./filter";
import type { GroupRow, MemberRow } from "./group-rows";
import { invalidPath, operationsOf, type PathOperation, splitPath } from "./patch";
import type { Resource } from "./resource";
import { ScimError } from "./scim-error";

export const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group";

/** A group as a request describes it. */
export interface Group {
  name: string;
  externalId: string | null;
  members: ReadonlySet<string>;
}

/** No user id is longer. */
const maxIdLength = 64;

const Described = z.object({
  displayName: label(256),
  externalId: boundedText(256).optional(),
});

/** The value of an attribute, whose name is case-insensitive; undefined if it is null or absent. */
function attributeIn(given: Resource, attribute: string): unknown {
  const [, value] =
    Object.entries(given).find(([name]) => name.toLowerCase() === attribute.toLowerCase()) ?? [];
  return value ?? undefined;
}

/** The ids of members: a list of ids or of objects with a `value`, or a single one. Throws invalidValue, and 413 for too many. */
export function memberIds(value: unknown): string[] {
  const list = value === undefined || value === "" ? [] : Array.isArray(value) ? value : [value];
  if (list.length > maxGroupMembers) throw tooManyMembers();
  return list.map((one: unknown) => {
    const id = isPlain(one) ? attributeIn(one, "value") : one;
    if (typeof id === "string" && id !== "" && id.length <= maxIdLength) return id;
    throw new ScimError(
      400,
      "invalidValue",
      "Each of members must have the id of a user as value.",
    );
  });
}

const tooManyMembers = () =>
  new ScimError(413, "tooMany", `A group has at most ${maxGroupMembers} members.`);

interface Given {
  displayName: unknown;
  externalId: unknown;
  members: ReadonlySet<string>;
}

/** Throws invalidValue, and 413 for too many members. */
export function readGroup({ displayName, externalId, members }: Given): Group {
  if (members.size > maxGroupMembers) throw tooManyMembers();
  const named = { displayName, ...(externalId !== "" && { externalId }) };
  const checked = checkBody(Described, named);
  if (checked.problems) {
    const [first] = checked.problems;
    const detail = first?.detail.replace(/^\//, "") ?? "The attributes are not valid.";
    throw new ScimError(400, "invalidValue", detail);
  }
  const described = checked.value;
  return { name: described.displayName, externalId: described.externalId ?? null, members };
}

/** A whole group, as the body of a creation or a PUT. */
export const groupOf = (body: Resource): Group =>
  readGroup({
    displayName: attributeIn(body, "displayName"),
    externalId: attributeIn(body, "externalId"),
    members: new Set(memberIds(attributeIn(body, "members"))),
  });

/** Two names with the same key count as equal. */
export const groupKey = labelKey;

/** A group as SCIM writes it. */
export function toGroup(row: GroupRow, members: readonly MemberRow[], base: string): Resource {
  const { groupId: id, name, externalId, createdAt, changedAt } = row;
  return {
    schemas: [groupSchema],
    id,
    ...(externalId !== null && { externalId }),
    displayName: name,
    members: members.map(({ userId: value, name: display }) => ({
      ...{ value, display, type: "User", $ref: `${base}/Users/${value}` },
    })),
    meta: {
      resourceType: "Group",
      created: createdAt.toISOString(),
      lastModified: changedAt.toISOString(),
      location: `${base}/Groups/${id}`,
    },
  };
}

/** The state of a group between the operations of a PATCH. */
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
  // Without a value, all members are removed.
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
