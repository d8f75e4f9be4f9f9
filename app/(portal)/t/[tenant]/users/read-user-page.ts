import { type ListState, listQuery } from "@/components/users/list-state";
import type { UserPage } from "@/components/users/users-query";
import type { Caller } from "@/lib/access/caller";
import { ListUsersQuery } from "@/lib/features/users/contract";
import { listUserPage } from "@/lib/features/users/list";
import { isRejection } from "@/lib/protocol/errors";
import { writeCursor } from "@/lib/protocol/parameters";

/** The page of users for the parameters of the address; undefined where they are invalid: then the browser's call reports the error. */
export async function readUserPage(
  caller: Caller,
  state: ListState,
): Promise<UserPage | undefined> {
  const query = ListUsersQuery.safeParse(listQuery(state));
  if (!query.success) return undefined;
  const { limit = state.size } = query.data;
  const page = await listUserPage(caller, query.data, limit).catch((error: unknown) => {
    if (isRejection(error)) return undefined;
    throw error;
  });
  if (!page) return undefined;
  return { users: page.items, next: page.next ? writeCursor(page.next) : null };
}
