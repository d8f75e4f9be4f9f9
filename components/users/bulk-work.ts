"use client";

import { usePortal } from "@/components/shell/portal";
import { CallError } from "@/lib/catalogue/client";
import type { User } from "@/lib/features/users/contract";
import { cellOf, withWishes } from "./access-changes";
import { lockOf } from "./lock-fields";

export type BulkAction = "lock" | "unlock" | "add-role" | "remove-role";

/** What each action does with one user: the same calls as on the user's own page. */
export function useBulkWork(site: string | undefined) {
  const { call, exchange } = usePortal();

  /** Reads, changes and writes; once more when somebody else wrote in between. */
  async function changeRole(user: User, cell: string, wanted: boolean, attempt = 1): Promise<void> {
    const params = { id: user.id };
    const { answer, etag } = await exchange("GET /v1/user/{id}/roles", { site, params });
    const body = withWishes(answer, { [cell]: wanted }) as never;
    try {
      await call("PUT /v1/user/{id}/roles", { site, params, body, ...(etag && { etag }) });
    } catch (error) {
      if (attempt > 1 || !(error instanceof CallError && error.code === "precondition.failed"))
        throw error;
      await changeRole(user, cell, wanted, attempt + 1);
    }
  }

  return (action: BulkAction, form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "");
    return async (user: User): Promise<unknown> => {
      const params = { id: user.id };
      if (action === "lock")
        return call("POST /v1/user/{id}/lock", { site, params, body: lockOf(form) });
      if (action === "unlock") return call("POST /v1/user/{id}/unlock", { site, params });
      return changeRole(user, cellOf(text("place"), text("role")), action === "add-role");
    };
  };
}
