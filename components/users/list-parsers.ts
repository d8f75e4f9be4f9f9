"use client";

import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs";
import { userSorts } from "@/lib/features/users/values";
import { listDefaults, lockStates, states } from "./list-state";

const text = parseAsString.withDefault("");

/** How the browser reads and writes the address of the users table. */
export const listParsers = {
  q: text,
  role: text,
  site: text,
  lock: parseAsStringLiteral(lockStates).withDefault(listDefaults.lock),
  state: parseAsStringLiteral(states).withDefault(listDefaults.state),
  sort: parseAsStringLiteral(userSorts).withDefault(listDefaults.sort),
  size: parseAsInteger.withDefault(listDefaults.size),
  page: parseAsInteger.withDefault(listDefaults.page),
  cursor: text,
  hide: text,
  columns: text,
};
