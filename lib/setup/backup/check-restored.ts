import { openSealed } from "@/lib/access/sealed";
import { signingKeys, tenantsAfter } from "@/lib/database/global";
import { verifyTrail } from "@/lib/features/audit/verify-trail";

export interface TrailCheck {
  tenants: number;
  entries: number;
  /** As messages, one line for each invalid audit trail. */
  faults: string[];
}

async function checkTrail(tenantId: string, result: TrailCheck): Promise<void> {
  for (let after: number | undefined; ; ) {
    const checked = await verifyTrail({ tenantId }, after);
    result.entries += checked.entries;
    if (!checked.valid && checked.broken)
      result.faults.push(
        `the trail of ${tenantId} is broken at entry ${checked.broken.seq}: ${checked.broken.problem}`,
      );
    if (!checked.valid || checked.complete || checked.checkedTo === after) return;
    after = checked.checkedTo;
  }
}

/** Recomputes every tenant's chain of audit entries. */
export async function checkTrails(): Promise<TrailCheck> {
  const result: TrailCheck = { tenants: 0, entries: 0, faults: [] };
  for (
    let page = await tenantsAfter("");
    page.length > 0;
    page = await tenantsAfter(page.at(-1) ?? "")
  ) {
    for (const tenantId of page) await checkTrail(tenantId, result);
    result.tenants += page.length;
  }
  return result;
}

/** Whether SECRET_KEY, or one of SECRET_KEY_PREVIOUS, is the one of this store. True for a store without signing keys. */
export async function isSecretKeyKnown(): Promise<boolean> {
  const newest = (await signingKeys()).at(-1);
  return newest === undefined || openSealed(newest.privateKey, newest.kid) !== undefined;
}

/** What no longer works in a store whose SECRET_KEY is lost, each as a sentence. */
export const lostWithSecretKey = [
  "Shoppers are signed out: their access tokens, refresh tokens and anonymous tokens are rejected.",
  "Management bearers are rejected: their signing keys cannot be decrypted. New keys are made.",
  "Sign-ins to the portal end: their cookies cannot be decrypted. API sessions, passwords and API keys go on working.",
  "Webhook deliveries are not signed: their secrets cannot be decrypted. Rotate the secret of each webhook.",
  "Audit streams over https and to storage stop: their secrets cannot be decrypted. Give storage its key again; rotate the secret of those over https, and give their authorization again.",
  "Requests repeated with an Idempotency-Key of the last day are rejected (idempotency.key-reused) instead of answered with the kept response.",
  "Sign-ins count as coming from a new network once more.",
  "Audit entries since the newest signed head of each tenant, and its checkpoints, cannot be proved; entries up to that head can.",
] as const;
