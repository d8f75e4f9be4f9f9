import { not, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type Filter, parse } from "scim2-parse-filter";
import { provisionedGroups, provisionedUsers, users } from "@/lib/database/schema/schema";
import { labelKey } from "@/lib/protocol/formats";
import { escapeLike, textProblem } from "@/lib/protocol/text";
import { ScimError } from "./scim-error";

/*
 * The filter of a list (RFC 7644, 3.4.2.2) as a condition of SQL. The text is bounded before it is parsed, because the parser recurses for
 * each bracket and each `not`. Values are passed as SQL parameters.
 */

const maxLength = 1024;
const maxNested = 20;

const invalid = (detail: string) => new ScimError(400, "invalidFilter", detail);

/** A text attribute that may be compared, as SQL. `key` normalizes the value that it is compared with. */
interface TextAttribute {
  column: SQL | AnyPgColumn;
  key: (text: string) => string;
}

/** An attribute with its own comparison. Neither expression is ever null. */
interface OwnAttribute {
  compare: (filter: Compare) => SQL;
  present: SQL;
}

type Compare = Extract<Filter, { compValue: unknown }>;

/** The names allowed in a filter: attributes in lower case, and their optional schema prefix. */
interface Vocabulary {
  schema: string;
  attributes: Readonly<Record<string, TextAttribute | OwnAttribute>>;
  /** Lists the supported attributes, for errors about other ones. */
  advice: string;
}

const asGiven = (text: string) => text;
/** Folds ASCII as PostgreSQL does under the collation "C", regardless of the locale. */
const inLowerCase = (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
const folded = (column: SQL | typeof users.name) => ({
  column: sql`lower(${column})`,
  key: inLowerCase,
});

const address = folded(sql`${users.emailAddress}`);
const name = folded(users.name);

const isActive = sql`(${users.state} <> 'deactivated')`;

function compareActive({ op, compValue }: Compare): SQL {
  const wanted = typeof compValue === "string" ? compValue.toLowerCase() : String(compValue);
  if (wanted !== "true" && wanted !== "false")
    throw invalid("active is compared with true or false.");
  if (op !== "eq" && op !== "ne") throw invalid("active is compared by eq or ne.");
  return (wanted === "true") === (op === "eq") ? isActive : not(isActive);
}

const people: Vocabulary = {
  schema: "urn:ietf:params:scim:schemas:core:2.0:user:",
  advice: "Filter by userName, externalId, displayName, emails.value or active",
  attributes: {
    id: { column: sql`${users.userId}`, key: asGiven },
    username: { column: users.loginKey, key: labelKey },
    externalid: { column: provisionedUsers.externalId, key: asGiven },
    displayname: name,
    "name.formatted": name,
    emails: address,
    "emails.value": address,
    "emails.type": { column: sql`'work'::text`, key: inLowerCase },
    active: { compare: compareActive, present: sql`true` },
  },
};

const isMember = (
  userId: string,
) => sql`exists (select 1 from provisioned_group_members m where m.tenant_id = ${provisionedGroups.tenantId}
  and m.connection_id = ${provisionedGroups.connectionId} and m.group_id = ${provisionedGroups.groupId} and m.user_id = ${userId})`;

function compareMembers({ op, compValue }: Compare): SQL {
  if (op !== "eq" || typeof compValue !== "string")
    throw invalid("members.value is compared by eq with the id of a user.");
  return isMember(compValue);
}

const members: OwnAttribute = {
  compare: compareMembers,
  get present(): SQL {
    throw invalid("members.value is compared by eq with the id of a user.");
  },
};

const groups: Vocabulary = {
  schema: "urn:ietf:params:scim:schemas:core:2.0:group:",
  advice: "Filter by displayName, externalId or members.value",
  attributes: {
    id: { column: sql`${provisionedGroups.groupId}`, key: asGiven },
    displayname: { column: provisionedGroups.nameKey, key: labelKey },
    externalid: { column: provisionedGroups.externalId, key: asGiven },
    members,
    "members.value": members,
  },
};

function attributeOf(path: string, { schema, attributes, advice }: Vocabulary) {
  const lower = path.toLowerCase();
  const attribute = lower.startsWith(schema) ? lower.slice(schema.length) : lower;
  const found = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
  if (found) return found;
  throw invalid(`${advice}: other attributes are not supported.`);
}

/** Never null, so that `not` negates it. */
function compare(filter: Compare, vocabulary: Vocabulary): SQL {
  const { op, attrPath, compValue } = filter;
  const attribute = attributeOf(attrPath, vocabulary);
  if (typeof compValue === "string" && textProblem(compValue, "line") !== undefined)
    throw invalid("A text of the filter has a control character.");
  if ("compare" in attribute) return attribute.compare(filter);
  if (typeof compValue !== "string") throw invalid("Compare with a text in double quotes.");
  const value = attribute.key(compValue);
  const { column } = attribute;
  const like = (pattern: string) => sql`coalesce(${column} like ${pattern}, false)`;
  if (op === "eq") return sql`coalesce(${column} = ${value}, false)`;
  if (op === "ne") return sql`coalesce(${column} <> ${value}, true)`;
  if (op === "co") return like(`%${escapeLike(value)}%`);
  if (op === "sw") return like(`${escapeLike(value)}%`);
  throw invalid(`The operator ${op} is not supported. Use eq, ne, co, sw or pr.`);
}

function present(path: string, vocabulary: Vocabulary): SQL {
  const attribute = attributeOf(path, vocabulary);
  return "compare" in attribute
    ? attribute.present
    : sql`coalesce(${attribute.column} <> '', false)`;
}

/** A filter within brackets, such as `emails[type eq "work"]`: its attributes are those of the one address. */
function within(filter: Filter, prefix: string): Filter {
  if ("filters" in filter)
    return { ...filter, filters: filter.filters.map((one) => within(one, prefix)) };
  if ("filter" in filter) return { ...filter, filter: within(filter.filter, prefix) };
  if ("valFilter" in filter) throw invalid("Brackets within brackets are not supported.");
  return { ...filter, attrPath: `${prefix}.${filter.attrPath}` };
}

function conditionOf(filter: Filter, vocabulary: Vocabulary): SQL {
  if ("filters" in filter) {
    const parts = filter.filters.map((one) => conditionOf(one, vocabulary));
    return sql`(${sql.join(parts, filter.op === "or" ? sql` or ` : sql` and `)})`;
  }
  if ("filter" in filter) return sql`(not ${conditionOf(filter.filter, vocabulary)})`;
  if ("valFilter" in filter)
    return conditionOf(within(filter.valFilter, filter.attrPath), vocabulary);
  return "compValue" in filter ? compare(filter, vocabulary) : present(filter.attrPath, vocabulary);
}

function assertBounded(text: string): void {
  const nested = text.match(/[([]|\bnot\b/gi)?.length ?? 0;
  if (text.length > maxLength || nested > maxNested)
    throw invalid(
      `A filter has at most ${maxLength} characters and ${maxNested} brackets and negations.`,
    );
}

/** Checks the limits of a filter and parses it. Throws invalidFilter. */
export function parseFilter(text: string): Filter {
  assertBounded(text);
  try {
    return parse(text);
  } catch {
    throw invalid('The filter cannot be read. An example is userName eq "ada@example.com".');
  }
}

const conditionIn =
  (vocabulary: Vocabulary) =>
  (query: URLSearchParams): SQL | undefined => {
    const filter = query.get("filter");
    if (filter === null || filter === "") return undefined;
    return conditionOf(parseFilter(filter), vocabulary);
  };

/** The SQL condition of a filter on users; undefined without a filter. Throws invalidFilter. */
export const conditionOnPeople = conditionIn(people);

/** The same on groups. */
export const conditionOnGroups = conditionIn(groups);
