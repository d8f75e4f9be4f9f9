import { type CustomerPage, type ListState, listQuery } from "@/components/customers/list-state";
import type { Caller } from "@/lib/access/caller";
import { ApiError } from "@/lib/api/errors";
import { writeCursor } from "@/lib/api/paging";
import { listCustomers } from "@/lib/customers/staff";
import { ListCustomersQuery } from "@/lib/customers/staff-contract";

/** The page of customers that the address asks for; nothing where it asks for what cannot be: then the browser's call says why. */
export async function readCustomerPage(caller: Caller, state: ListState): Promise<CustomerPage | undefined> {
  const query = ListCustomersQuery.safeParse(listQuery(state));
  if (!query.success) return undefined;
  try {
    const { items, next } = await listCustomers(caller, query.data);
    return { customers: items, next: next ? writeCursor(next) : null };
  } catch (error) {
    if (error instanceof ApiError && error.code === "request.validation-failed") return undefined;
    throw error;
  }
}
