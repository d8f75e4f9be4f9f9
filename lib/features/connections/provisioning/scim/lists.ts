import { conditionOnPeople } from "./filter";
import { countPeople, selectPeople } from "./person-rows";
import { project, toResource } from "./resource";
import { ScimError } from "./scim-error";
import type { Provisioner } from "./users";

/** The most resources in one response. */
export const maxCount = 200;

const defaultCount = 100;
const maxIndex = 1_000_000_000;

function integerOf(query: URLSearchParams, name: string, absent: number): number {
  const text = query.get(name);
  if (text === null || text === "") return absent;
  if (!/^-?\d{1,10}$/.test(text))
    throw new ScimError(400, "invalidValue", `${name} must be a whole number.`);
  return Number(text);
}

/** The page that a query requests: `startIndex` counts from 1, and a negative `count` is 0 (RFC 7644, 3.4.2.4). */
export const pageOf = (query: URLSearchParams) => ({
  startIndex: Math.min(maxIndex, Math.max(1, integerOf(query, "startIndex", 1))),
  count: Math.min(maxCount, Math.max(0, integerOf(query, "count", defaultCount))),
});

export const listOf = (totalResults: number, startIndex: number, resources: object[]) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

/** The users in reach of the connection that the filter selects. A list that is complete needs no count query. */
export async function listPeople(by: Provisioner, query: URLSearchParams): Promise<object> {
  const { startIndex, count } = pageOf(query);
  const shown = project(query);
  const condition = conditionOnPeople(query);
  const rows =
    count === 0 ? [] : await selectPeople(by, condition, { offset: startIndex - 1, limit: count });
  const isWhole = startIndex === 1 && rows.length < count;
  const total = isWhole ? rows.length : await countPeople(by, condition);
  return listOf(
    total,
    startIndex,
    rows.map((row) => shown(toResource(row, by.base))),
  );
}
