import { type CustomerPage, type ListState, listQuery } from "@/components/customers/list-state";
import type { Caller } from "@/lib/access/caller";
import { listCustomers } from "@/lib/features/customers/customer-queries";
import { ListCustomersQuery } from "@/lib/features/customers/staff-contract";
import { ApiError } from "@/lib/protocol/errors";
import { writeCursor } from "@/lib/protocol/parameters";

/** The page of customers for the parameters of the address; undefined where they are invalid: then the browser's call reports the error. */
export async function readCustomerPage(
  caller: Caller,
  state: ListState,
): Promise<CustomerPage | undefined> {
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
