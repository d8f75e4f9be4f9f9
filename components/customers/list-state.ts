import type { ListedCustomer } from "@/lib/features/customers/staff-contract";
import { customerKeys } from "./query-keys";

export const lockStates = ["", "true", "false"] as const;

/** The part of the customers table that is stored in the address. */
export interface ListState {
  q: string;
  lock: (typeof lockStates)[number];
  page: number;
  cursor: string;
}

/** One page of the list, and the cursor of the next one. */
export interface CustomerPage {
  customers: ListedCustomer[];
  next: string | null;
}

const pageSize = 50;

/** Reads the address on the server as the browser's parsers do. */
export function readListState(
  parameters: Record<string, string | string[] | undefined>,
): ListState {
  const text = (name: keyof ListState) => [parameters[name]].flat()[0] ?? "";
  return {
    q: text("q"),
    lock: lockStates.find((one) => one === text("lock")) ?? "",
    page: Number.parseInt(text("page"), 10) || 1,
    cursor: text("cursor"),
  };
}

/** The query of GET /v1/customers for what the address says. */
export function listQuery({ q, lock, cursor }: ListState) {
  return {
    limit: String(pageSize),
    ...(q ? { q } : {}),
    ...(lock ? { lock } : {}),
    ...(cursor ? { cursor } : {}),
  };
}

export const listKey = (tenant: string, site: string, state: ListState) =>
  customerKeys.list(tenant, site, listQuery(state));
