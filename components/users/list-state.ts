import { createLoader, type inferParserType, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";

const sorts = ["login", "-login", "name", "-name", "emailAddress", "-emailAddress", "registrationDate", "-registrationDate"] as const;

export const pageSizes = [50, 100, 200] as const;

/** What of the users table lives in the address. */
export const listParsers = {
  q: parseAsString.withDefault(""),
  role: parseAsString.withDefault(""),
  site: parseAsString.withDefault(""),
  lock: parseAsStringLiteral(["", "true", "false"]).withDefault(""),
  sort: parseAsStringLiteral(sorts).withDefault("name"),
  size: parseAsInteger.withDefault(50),
  page: parseAsInteger.withDefault(1),
  cursor: parseAsString.withDefault(""),
};

export type ListState = inferParserType<typeof listParsers>;

export const loadListState = createLoader(listParsers);

/** The query of GET /v1/user/list for what the address says; values that say nothing are left out. */
export function listQuery({ q, role, site, lock, sort, size, cursor }: ListState) {
  const limit = pageSizes.find((one) => one === size) ?? 50;
  return {
    fields: "+lastLoginAt,state",
    sort,
    limit: String(limit),
    ...(q ? { q } : {}),
    ...(role ? { role } : {}),
    ...(site ? { site } : {}),
    ...(lock ? { lock } : {}),
    ...(cursor ? { cursor } : {}),
  };
}

/** Where one page of the list is kept in the query cache. */
export function listKey(tenant: string, state: ListState) {
  return [tenant, "users", listQuery(state)];
}
