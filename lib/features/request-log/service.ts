import { and, desc, eq, gte, lt } from "drizzle-orm";
import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { describeCredential } from "@/lib/access/credential-store";
import { policyOf } from "@/lib/access/sites";
import { decide } from "@/lib/catalogue/access-decision";
import { operations } from "@/lib/catalogue/operations";
import { db } from "@/lib/database/open";
import { refusedRequests } from "@/lib/database/schema/schema";
import { errorCodes } from "@/lib/protocol/error-codes";
import { ApiError } from "@/lib/protocol/errors";
import { cutPage, type Page, readCursor } from "@/lib/protocol/paging";
import type { RefusedRequest, RefusedRequestDetails, RequestsQuery } from "./contract";
import { failedStep, stepsTo } from "./steps";
import { keptMilliseconds } from "./write";

type Row = typeof refusedRequests.$inferSelect;

const operationOf = ({ method, template }: Row) => {
  const name = `${method === "HEAD" ? "GET" : method} ${template ?? ""}`;
  return operations.find(({ operation }) => operation === name);
};

function callerOf({
  credentialKind: kind,
  credentialId,
  userId,
}: Row): Pick<RefusedRequest, "caller"> {
  if (kind === null) return {};
  return {
    caller: {
      kind,
      ...(userId !== null && { userId }),
      ...(credentialId !== null && { credentialId }),
    },
  };
}

function answerOf(row: Row): RefusedRequest {
  const {
    refusalId: id,
    requestId,
    occurredAt,
    method,
    path,
    status,
    code,
    reason,
    siteId,
    address,
    agent,
    durationMs,
  } = row;
  const operation = operationOf(row)?.operation;
  return {
    ...{
      id,
      requestId,
      occurredAt: occurredAt.toISOString(),
      method,
      path,
      status,
      code,
      address,
      agent,
      durationMs,
    },
    ...(operation !== undefined && { operation }),
    ...(reason !== null && { reason }),
    ...(siteId !== null && { site: siteId }),
    ...callerOf(row),
  };
}

/** Refused and failed requests of the tenant, newest first. */
export async function listRequests(
  caller: Caller,
  query: z.output<typeof RequestsQuery>,
): Promise<Page<RefusedRequest>> {
  const after = readCursor(query.cursor, 1);
  const { requestId, code, userId, status, from, to } = query;
  const kept = new Date(Date.now() - keptMilliseconds);
  const rows = await db()
    .select()
    .from(refusedRequests)
    .where(
      and(
        eq(refusedRequests.tenantId, caller.tenantId),
        gte(refusedRequests.occurredAt, from !== undefined && from > kept ? from : kept),
        to && lt(refusedRequests.occurredAt, to),
        requestId === undefined ? undefined : eq(refusedRequests.requestId, requestId),
        code === undefined ? undefined : eq(refusedRequests.code, code),
        userId === undefined ? undefined : eq(refusedRequests.userId, userId),
        status === undefined ? undefined : eq(refusedRequests.status, status),
        after && lt(refusedRequests.refusalId, after[0] ?? ""),
      ),
    )
    .orderBy(desc(refusedRequests.refusalId))
    .limit(query.limit + 1);
  const page = cutPage(rows, query.limit, (row) => [row.refusalId]);
  return { items: page.items.map(answerOf), next: page.next };
}

/** What the same credential would be told today; undefined where it is not known, or gone. */
async function presentAnswer(row: Row) {
  const { tenantId, credentialKind, credentialId, userId, siteId } = row;
  const declared = operationOf(row);
  if (!declared || userId === null) return undefined;
  const subject =
    credentialKind === "apiKey" && credentialId !== null ? { apiKeyId: credentialId } : { userId };
  const credential = await describeCredential(tenantId, subject);
  return credential && decide(declared, credential, siteId ?? "", await policyOf(tenantId));
}

/** One of them, step by step. Throws 404. */
export async function getRequest(caller: Caller, id: string): Promise<RefusedRequestDetails> {
  const mine = and(
    eq(refusedRequests.tenantId, caller.tenantId),
    eq(refusedRequests.refusalId, id),
  );
  const [row] = id.includes("\0") ? [] : await db().select().from(refusedRequests).where(mine);
  if (!row)
    throw new ApiError(
      "refusal.not-found",
      "There is no such request among the refused ones of the last seven days.",
    );
  const { title, remedy } =
    errorCodes[row.code as keyof typeof errorCodes] ?? errorCodes["server.internal-error"];
  const now = await presentAnswer(row);
  return {
    ...answerOf(row),
    title,
    remedy,
    steps: stepsTo(failedStep(row.code)),
    ...(now && { now }),
  };
}
