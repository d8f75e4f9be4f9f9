import type { Transaction } from "@/lib/database/open";
import type { SavedView } from "./contract";
import { deleteViewsOf, selectDefaults, selectViewsOf } from "./rows";
import { toView } from "./service";

/** The views that a user made, shared ones too. */
export async function exportViews(tenantId: string, userId: string): Promise<SavedView[]> {
  const defaults = await selectDefaults({ tenantId, userId });
  const rows = await selectViewsOf({ tenantId, userId });
  return rows.map((row) => toView(row, defaults.has(row.viewId)));
}

/** Deletes what a user saved: its names and queries are the person's words. */
export async function eraseViewsOf(tx: Transaction, tenantId: string, userId: string) {
  await deleteViewsOf(tx, { tenantId, userId });
}
