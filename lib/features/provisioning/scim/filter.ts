import { not, type SQL, sql } from "drizzle-orm";
import { type Filter, parse } from "scim2-parse-filter";
import { escapeLike } from "@/lib/database/like";
import { provisionedUsers, users } from "@/lib/database/schema/schema";
import { labelKey } from "@/lib/protocol/formats";
import { textProblem } from "@/lib/protocol/text";
import { ScimError } from "./scim-error";

/*
 * The filter of a list (RFC 7644, 3.4.2.2) as a condition of SQL. The text is bounded before it is parsed: the parser descends once for
 * each bracket and each `not`. What the filter compares with travels as parameters.
 */

const maxLength = 1024;
const maxNested = 20;

const invalid = (detail: string) => new ScimError(400, "invalidFilter", detail);

/** An attribute that may be compared, as SQL. A key prepares what it is compared with. */
interface Attribute {
  column: SQL | typeof users.loginKey | typeof provisionedUsers.externalId;
  key: (text: string) => string;
}

const asGiven = (text: string) => text;
/** As PostgreSQL folds ASCII under the collation "C", whatever its locale. */
const inLowerCase = (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
const folded = (column: SQL | typeof users.name) => ({
  column: sql`lower(${column})`,
  key: inLowerCase,
});

const address = folded(sql`${users.emailAddress}`);
const name = folded(users.name);

const attributes: Readonly<Record<string, Attribute>> = {
  id: { column: sql`${users.userId}`, key: asGiven },
  username: { column: users.loginKey, key: labelKey },
  externalid: { column: provisionedUsers.externalId, key: asGiven },
  displayname: name,
  "name.formatted": name,
  emails: address,
  "emails.value": address,
  "emails.type": { column: sql`'work'::text`, key: inLowerCase },
};

const coreUser = "urn:ietf:params:scim:schemas:core:2.0:user:";

function attributeOf(path: string): Attribute | "active" {
  const lower = path.toLowerCase();
  const attribute = lower.startsWith(coreUser) ? lower.slice(coreUser.length) : lower;
  if (attribute === "active") return "active";
  const found = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
  if (found) return found;
  throw invalid(
    "Filter by userName, externalId, displayName, emails.value or active: other attributes are not supported.",
  );
}

const isActive = sql`(${users.state} <> 'deactivated')`;

type Compare = Extract<Filter, { compValue: unknown }>;

function compareActive({ op, compValue }: Compare): SQL {
  const wanted = typeof compValue === "string" ? compValue.toLowerCase() : String(compValue);
  if (wanted !== "true" && wanted !== "false")
    throw invalid("active is compared with true or false.");
  if (op !== "eq" && op !== "ne") throw invalid("active is compared by eq or ne.");
  return (wanted === "true") === (op === "eq") ? isActive : not(isActive);
}

/** Never null: `not` of it is the opposite. */
function compare(filter: Compare): SQL {
  const { op, attrPath, compValue } = filter;
  const attribute = attributeOf(attrPath);
  if (attribute === "active") return compareActive(filter);
  if (typeof compValue !== "string") throw invalid("Compare with a text in double quotes.");
  if (textProblem(compValue, "line") !== undefined)
    throw invalid("A text of the filter has a control character.");
  const value = attribute.key(compValue);
  const { column } = attribute;
  const like = (pattern: string) => sql`coalesce(${column} like ${pattern}, false)`;
  if (op === "eq") return sql`coalesce(${column} = ${value}, false)`;
  if (op === "ne") return sql`coalesce(${column} <> ${value}, true)`;
  if (op === "co") return like(`%${escapeLike(value)}%`);
  if (op === "sw") return like(`${escapeLike(value)}%`);
  throw invalid(`The operator ${op} is not supported. Use eq, ne, co, sw or pr.`);
}

function present(path: string): SQL {
  const attribute = attributeOf(path);
  return attribute === "active" ? sql`true` : sql`coalesce(${attribute.column} <> '', false)`;
}

/** A filter within brackets, such as `emails[type eq "work"]`: its attributes are those of the one address. */
function within(filter: Filter, prefix: string): Filter {
  if ("filters" in filter)
    return { ...filter, filters: filter.filters.map((one) => within(one, prefix)) };
  if ("filter" in filter) return { ...filter, filter: within(filter.filter, prefix) };
  if ("valFilter" in filter) throw invalid("Brackets within brackets are not supported.");
  return { ...filter, attrPath: `${prefix}.${filter.attrPath}` };
}

function conditionOf(filter: Filter): SQL {
  if ("filters" in filter) {
    const parts = filter.filters.map(conditionOf);
    return sql`(${sql.join(parts, filter.op === "or" ? sql` or ` : sql` and `)})`;
  }
  if ("filter" in filter) return sql`(not ${conditionOf(filter.filter)})`;
  if ("valFilter" in filter) return conditionOf(within(filter.valFilter, filter.attrPath));
  return "compValue" in filter ? compare(filter) : present(filter.attrPath);
}

function assertBounded(text: string): void {
  const nested = text.match(/[([]|\bnot\b/gi)?.length ?? 0;
  if (text.length > maxLength || nested > maxNested)
    throw invalid(
      `A filter has at most ${maxLength} characters and ${maxNested} brackets and negations.`,
    );
}

/** What the parser makes of a filter that is bounded. Throws invalidFilter. */
export function parseFilter(text: string): Filter {
  assertBounded(text);
  try {
    return parse(text);
  } catch {
    throw invalid('The filter cannot be read. An example is userName eq "ada@example.com".');
  }
}

/** The condition of a filter on people. Throws invalidFilter. */
export const filterCondition = (text: string): SQL => conditionOf(parseFilter(text));
