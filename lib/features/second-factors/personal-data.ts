import type { Transaction } from "@/lib/database/open";
import type { SecondFactor } from "./contract";
import { confirmedFactorsOf, deleteFactorsOf } from "./rows";
import { toSecondFactor } from "./service";

/** Without their secrets. */
export async function exportFactors(tenantId: string, userId: string): Promise<SecondFactor[]> {
  return (await confirmedFactorsOf({ tenantId, userId })).map(toSecondFactor);
}

export async function eraseFactorsOf(tx: Transaction, tenantId: string, userId: string) {
  await deleteFactorsOf(tx, { tenantId, userId });
}
