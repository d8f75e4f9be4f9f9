"use client";

import { createParser, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs";
import { type UserFilter, userFilterNames, userSorts } from "@/lib/features/users/values";
import { type ListState, listDefaults, noFilters, readFilter } from "./list-state";

const text = parseAsString.withDefault("");

const parserOf = <Name extends UserFilter>(name: Name) =>
  createParser<ListState[Name]>({
    parse: (value) => readFilter(name, value),
    serialize: (value) => value,
  }).withDefault(noFilters[name]);

const filterParsers = Object.fromEntries(userFilterNames.map((name) => [name, parserOf(name)])) as {
  [Name in UserFilter]: ReturnType<typeof parserOf<Name>>;
};

/** How the browser reads and writes the address of the users table. */
export const listParsers = {
  ...filterParsers,
  sort: parseAsStringLiteral(userSorts).withDefault(listDefaults.sort),
  size: parseAsInteger.withDefault(listDefaults.size),
  page: parseAsInteger.withDefault(listDefaults.page),
  cursor: text,
  hide: text,
  columns: text,
};
