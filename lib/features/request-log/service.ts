import { and, desc, eq, gte, lt } from "drizzle-orm";
import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { db } from "@/lib/database/open";
import { refusedRequests } from "@/lib/database/schema/schema";
import { ApiError } from "@/lib/protocol/errors";
import { isStorableText } from "@/lib/protocol/formats";
import { cutPage, type Page, readCursor } from "@/lib/protocol/paging";
import type { RefusedRequest, RequestsQuery } from "./contract";
import { keptMilliseconds } from "./write";

export type RequestRow = typeof refusedRequests.$inferSelect;

/** "GET /v1/user/list"; undefined where no route took the request. */
export function operationOf({ method, template, code }: RequestRow): string | undefined {
  const isRouted = code !== "request.not-found" && code !== "request.method-not-allowed";
  if (template === null || !isRouted) return undefined;
  return `${method === "HEAD" ? "GET" : method} ${template}`;
}

function callerOf({
  credentialKind: kind,
  credentialId,
  userId,
}: RequestRow): Pick<RefusedRequest, "caller"> {
  if (kind === null) return {};
  return {
    caller: {
      kind,
      ...(userId !== null && { userId }),
      ...(credentialId !== null && { credentialId }),
    },
  };
}

export function answerOf(row: RequestRow): RefusedRequest {
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
  const operation = operationOf(row);
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

/** Rejected and failed requests of the tenant, newest first. */
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

/** One request of the tenant, as it is stored. Throws 404. */
export async function findRequest(caller: Caller, id: string): Promise<RequestRow> {
  const mine = and(
    eq(refusedRequests.tenantId, caller.tenantId),
    eq(refusedRequests.refusalId, id),
  );
  const [row] = isStorableText(id) ? await db().select().from(refusedRequests).where(mine) : [];
  if (row) return row;
  throw new ApiError("refusal.not-found", "No rejected request with this id in the last 7 days.");
}
