import { assertCredentialUsable, assertNotRevoked } from "@/lib/access/authenticate";
import { assertApiKeyAllowed } from "@/lib/access/authorization";
import type { Principal } from "@/lib/access/caller";
import { describeCredential } from "@/lib/access/credential-store";
import { policyOf } from "@/lib/access/sites";
import { sitesWithout } from "@/lib/features/customers/site-rights";
import { isRejection } from "@/lib/protocol/errors";
import { importCustomers } from "./contract";
import type { ImportRow } from "./rows";

/** The sites at which somebody may manage customers. */
export function managedSites(principal: Principal): string[] {
  const all = [...principal.siteIds];
  const unmanaged = new Set(sitesWithout(principal, "customer.manage", all));
  return all.filter((one) => !unmanaged.has(one));
}

/**
 * The sites at which the author of an import may manage customers now; none where such a request would be rejected now. A file may be
 * on its way for an hour, and rights are taken away meanwhile.
 */
export async function sitesOfMaker(
  row: Pick<ImportRow, "tenantId" | "userId" | "keyId" | "siteId">,
): Promise<string[]> {
  const { tenantId, userId, keyId, siteId } = row;
  const maker = await describeCredential(
    tenantId,
    keyId === null ? { userId } : { apiKeyId: keyId },
  );
  if (maker?.principal.userId !== userId) return [];
  try {
    assertNotRevoked(maker);
    assertCredentialUsable(maker, Date.now());
    assertApiKeyAllowed(importCustomers, maker.principal, await policyOf(tenantId));
  } catch (error) {
    if (isRejection(error)) return [];
    throw error;
  }
  const managed = managedSites(maker.principal);
  return managed.includes(siteId) ? managed : [];
}
