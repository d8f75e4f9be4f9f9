import { queueResetRequest } from "@/lib/features/mail/queue";
import { labelKey } from "@/lib/protocol/formats";

/** Takes the request of a reset, and does not reveal whether there is such a login. */
export async function requestPasswordReset(
  tenantId: string,
  login: string,
  requestId: string,
): Promise<Record<string, never>> {
  await queueResetRequest(tenantId, labelKey(login), requestId);
  return {};
}
