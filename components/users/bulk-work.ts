"use client";

import { usePortal } from "@/components/shell/portal";
import { CallError } from "@/lib/catalogue/client";
import type { User } from "@/lib/features/users/contract";
import { cellOf, type Wishes, withWishes } from "./access-changes";
import { lockOf } from "./lock-fields";

export type BulkAction = "lock" | "unlock" | "add-role" | "remove-role";

/** Changes roles by cell, based on the stored ones, with a retry after a concurrent change.
 * Roles granted in the meantime are kept. */
export function useRoleChange(site: string | undefined) {
  const { call, exchange } = usePortal();
  return async function change(user: User, wishes: Wishes, attempt = 1): Promise<void> {
    const params = { id: user.id };
    const { answer, etag } = await exchange("GET /v1/user/{id}/roles", { site, params });
    const body = withWishes(answer, wishes) as never;
    try {
      await call("PUT /v1/user/{id}/roles", { site, params, body, ...(etag && { etag }) });
    } catch (error) {
      if (attempt > 1 || !(error instanceof CallError && error.code === "precondition.failed"))
        throw error;
      await change(user, wishes, attempt + 1);
    }
  };
}

/** The work of each action for one user: the same calls as on the user's own page. */
export function useBulkWork(site: string | undefined) {
  const { call } = usePortal();
  const changeRoles = useRoleChange(site);
  return (action: BulkAction, form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "");
    return async (user: User): Promise<unknown> => {
      const params = { id: user.id };
      if (action === "lock")
        return call("POST /v1/user/{id}/lock", { site, params, body: lockOf(form) });
      if (action === "unlock") return call("POST /v1/user/{id}/unlock", { site, params });
      const cell = cellOf(text("place"), text("role"));
      return changeRoles(user, { [cell]: action === "add-role" });
    };
  };
}
