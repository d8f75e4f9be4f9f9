import type { StoredCredential } from "@/lib/access/access-versions";
import type { Explanation } from "@/lib/access/authorization";
import { assertPermission, type Caller, permissionScope } from "@/lib/access/caller";
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
import { findVisibleUser } from "@/lib/features/users/list";
import { type Endpoint, endpoint, management } from "@/lib/protocol/endpoint";
import { ApiError, invalid } from "@/lib/protocol/errors";
import type { Question } from "./access-contract";
import { decide } from "./access-decision";
import { operations } from "./operations";

/** The user or key to explain, and the site. */
type Subject = Pick<Question, "userId" | "apiKeyId" | "site">;

const missing = (question: Subject) =>
  question.apiKeyId === undefined
    ? new ApiError("user.not-found", "There is no such user in this tenant.")
    : new ApiError("api-key.not-found", "There is no such API key.");

/** Callers may explain themselves and their own keys; others need the permission to read users, in the tenant or at the site. */
export async function findSubject(caller: Caller, question: Subject): Promise<StoredCredential> {
  const { userId = "", apiKeyId } = question;
  const credential = await describeCredential(
    caller.tenantId,
    apiKeyId === undefined ? { userId } : { apiKeyId },
  );
  if (credential?.principal.userId === caller.userId) return credential;
  assertPermission(caller, "user.read");
  if (!credential || !(await findVisibleUser(caller, credential.principal.userId)))
    throw missing(question);
  if (permissionScope(caller, "user.read") === "site" && question.site !== caller.siteId)
    throw new ApiError(
      "auth.permission-missing",
      `Beyond the site ${caller.siteId} this needs user.read there too.`,
      "user.read",
    );
  return credential;
}

/** The operation to explain; a permission is explained as an operation of another service that needs nothing else. */
function declarationFor({ operation, permission }: Question): Endpoint | undefined {
  if (permission === undefined) return operations.find((one) => one.operation === operation);
  const summary = `What needs ${permission}`;
  return endpoint({ operation: "POST /", summary, credentials: management, permission });
}

/** Whether a user or key may call an operation, and why. Throws 400 for an unknown operation, 403 and 404 for a hidden user. */
export async function explainAccess(caller: Caller, question: Question): Promise<Explanation> {
  const declared = declarationFor(question);
  const credential = await findSubject(caller, question);
  if (!declared) {
    const detail =
      '/operation must be a method and a path as the reference has them, such as "GET /v1/user/list".';
    throw invalid([{ pointer: "/operation", detail }]);
  }
  const explanation = decide(
    declared,
    credential,
    question.site ?? "",
    await policyOf(caller.tenantId),
  );
  const isOther = credential.principal.userId !== caller.userId;
  if (!isOther || permissionScope(caller, "user.read") === "tenant") return explanation;
  return {
    ...explanation,
    because: explanation.because.filter(
      ({ role, site }) => role === undefined || site === caller.siteId,
    ),
  };
}

/** The explanation for the same credential now; undefined where it is unknown or deleted. */
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

/** A logged request step by step, and the result that it would have now. Throws 404. */
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
