import type { ColumnsAddress } from "@/components/ui/table/chosen-columns";
import { type UserSort, userSorts, userStates } from "@/lib/features/users/values";
import { userKeys } from "./query-keys";

export const lockStates = ["", "true", "false"] as const;
export const states = ["", ...userStates] as const;
export const pageSizes = [25, 50, 100, 200] as const;

/** What of the users table lives in the address. */
export interface ListState extends ColumnsAddress {
  q: string;
  role: string;
  site: string;
  lock: (typeof lockStates)[number];
  state: (typeof states)[number];
  sort: UserSort;
  size: number;
  page: number;
  cursor: string;
}

export const listDefaults: ListState = {
  q: "",
  role: "",
  site: "",
  lock: "",
  state: "",
  sort: "name",
  size: 50,
  page: 1,
  cursor: "",
  hide: "",
  columns: "",
};

/** Reads the address on the server as the browser's parsers do: what cannot be is as if it were absent. */
export function readListState(
  parameters: Record<string, string | string[] | undefined>,
): ListState {
  const text = (name: keyof ListState) => [parameters[name]].flat()[0] ?? "";
  const count = (name: "size" | "page") => Number.parseInt(text(name), 10) || listDefaults[name];
  return {
    q: text("q"),
    role: text("role"),
    site: text("site"),
    lock: lockStates.find((one) => one === text("lock")) ?? listDefaults.lock,
    state: states.find((one) => one === text("state")) ?? listDefaults.state,
    sort: userSorts.find((one) => one === text("sort")) ?? listDefaults.sort,
    size: count("size"),
    page: count("page"),
    cursor: text("cursor"),
    hide: text("hide"),
    columns: text("columns"),
  };
}

/** The query of GET /v1/user/list for what the address says; values that say nothing are left out. */
export function listQuery({ q, role, site, lock, state, sort, size, cursor }: ListState) {
  const limit = pageSizes.find((one) => one === size) ?? listDefaults.size;
  return {
    fields: "+lastLoginAt,state",
    sort,
    limit: String(limit),
    ...(q ? { q } : {}),
    ...(role ? { role } : {}),
    ...(site ? { site } : {}),
    ...(lock ? { lock } : {}),
    ...(state ? { state } : {}),
    ...(cursor ? { cursor } : {}),
  };
}

/** Where one page of the list is kept in the query cache. */
export const listKey = (tenant: string, state: ListState) =>
  userKeys.list(tenant, listQuery(state));
