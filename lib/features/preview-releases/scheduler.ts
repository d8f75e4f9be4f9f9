import {
  assertCredentialUsable,
  assertNotRevoked,
  unknownCredential,
} from "@/lib/access/authenticate";
import {
  assertApiKeyAllowed,
  assertPasswordChanged,
  assertRights,
} from "@/lib/access/authorization";
import type { Caller } from "@/lib/access/caller";
import { describeCredential } from "@/lib/access/credential-store";
import { publishRelease } from "./contract";
import type { ReleaseRow } from "./rows";

/**
 * The scheduler of a release, with the rights of this moment: the checks of the operation are made as if it were called now. Throws what
 * the operation would answer.
 */
export async function currentScheduler(row: ReleaseRow): Promise<Caller> {
  const { tenantId, siteId, releaseId, schedulerUserId: userId, schedulerKeyId: apiKeyId } = row;
  const subject = apiKeyId === null ? { userId: userId ?? "" } : { apiKeyId };
  const credential = await describeCredential(tenantId, subject);
  if (!credential || credential.principal.userId !== userId) throw unknownCredential("session");
  assertNotRevoked(credential);
  assertCredentialUsable(credential, Date.now());
  const origin = { requestId: releaseId, address: "", agent: "" };
  const caller: Caller = { ...credential.principal, ...origin, siteId };
  assertPasswordChanged(publishRelease, caller);
  assertRights(publishRelease, caller);
  assertApiKeyAllowed(publishRelease, caller, {});
  return caller;
}
