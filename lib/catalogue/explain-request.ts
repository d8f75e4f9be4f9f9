import type { Explanation } from "@/lib/access/authorization";
import type { Caller } from "@/lib/access/caller";
import { describeCredential } from "@/lib/access/credential-store";
import { policyOf } from "@/lib/access/sites";
import type { RefusedRequestDetails } from "@/lib/features/request-log/contract";
import {
  failedStep,
  findRequest,
  meaningOf,
  operationOf,
  type RequestRow,
  stepsTo,
  withNames,
} from "@/lib/features/request-log/service";
import { decide } from "./access-decision";
import { operations } from "./operations";

/** What the same credential would get now; undefined where it is unknown or deleted. */
async function explainNow(row: RequestRow): Promise<Explanation | undefined> {
  const { tenantId, credentialKind, credentialId, userId, siteId } = row;
  const name = operationOf(row);
  const declared = operations.find(({ operation }) => operation === name);
  if (!declared || userId === null) return undefined;
  const subject =
    credentialKind === "apiKey" && credentialId !== null ? { apiKeyId: credentialId } : { userId };
  const credential = await describeCredential(tenantId, subject);
  return credential && decide(declared, credential, siteId ?? "", await policyOf(tenantId));
}

/** A request step by step, and what it would get now. Throws 404. */
export async function getRequest(caller: Caller, id: string): Promise<RefusedRequestDetails> {
  const row = await findRequest(caller, id);
  const isSuccess = row.status < 400;
  const [now, [request]] = await Promise.all([explainNow(row), withNames(caller.tenantId, [row])]);
  if (!request) throw new Error("A request that was found has no answer.");
  return {
    ...request,
    remedy: meaningOf(row).remedy,
    steps: stepsTo(isSuccess ? undefined : failedStep(row.code)),
    ...(now && { now }),
  };
}
