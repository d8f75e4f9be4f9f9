import type { ColumnsAddress } from "@/components/ui/table/chosen-columns";
import {
  type UserFilter,
  type UserSort,
  userFilterNames,
  userFilters,
  userSorts,
} from "@/lib/features/users/values";
import { userKeys } from "./query-keys";

export const pageSizes = [25, 50, 100, 200] as const;

type FilterValue<Name extends UserFilter> =
  | ""
  | ((typeof userFilters)[Name] extends readonly (infer Value)[] ? Value : string);

/** One value for each filter. */
const forFilters = <Value>(create: (name: UserFilter) => Value) =>
  Object.fromEntries(userFilterNames.map((name) => [name, create(name)])) as Record<
    UserFilter,
    Value
  >;

export type Filters = { [Name in UserFilter]: FilterValue<Name> };
export const noFilters = forFilters(() => "") as Filters;

/** The value of a filter in an address; a value that the filter does not have is ignored. */
export function readFilter<Name extends UserFilter>(name: Name, text: string): FilterValue<Name> {
  const values: readonly string[] | undefined = userFilters[name];
  return (values && !values.includes(text) ? "" : text) as FilterValue<Name>;
}

/** The state of the users table that is stored in the address. */
export interface ListState extends ColumnsAddress, Filters {
  sort: UserSort;
  size: number;
  page: number;
  cursor: string;
}

export const listDefaults: ListState = {
  ...noFilters,
  sort: "name",
  size: 50,
  page: 1,
  cursor: "",
  hide: "",
  columns: "",
  widths: "",
};

/** Reads the address on the server as the browser's parsers do: invalid values count as absent. */
export function readListState(
  parameters: Record<string, string | string[] | undefined>,
): ListState {
  const text = (name: keyof ListState) => [parameters[name]].flat()[0] ?? "";
  const count = (name: "size" | "page") => Number.parseInt(text(name), 10) || listDefaults[name];
  return {
    ...(forFilters((name) => readFilter(name, text(name))) as Filters),
    sort: userSorts.find((one) => one === text("sort")) ?? listDefaults.sort,
    size: count("size"),
    page: count("page"),
    cursor: text("cursor"),
    hide: text("hide"),
    columns: text("columns"),
    widths: text("widths"),
  };
}

/** The query of GET /v1/user/list for the state in the address; empty values are left out. */
export function listQuery(given: ListState) {
  const { sort, size, cursor } = given;
  const limit = pageSizes.find((one) => one === size) ?? listDefaults.size;
  return {
    fields: "+lastLoginAt,state",
    sort,
    limit: String(limit),
    ...(Object.fromEntries(
      userFilterNames.flatMap((name) => (given[name] ? [[name, given[name]]] : [])),
    ) as { [Name in UserFilter]?: Exclude<Filters[Name], ""> }),
    ...(cursor ? { cursor } : {}),
  };
}

/** The key of one page of the list in the query cache. */
export const listKey = (tenant: string, state: ListState) =>
  userKeys.list(tenant, listQuery(state));
