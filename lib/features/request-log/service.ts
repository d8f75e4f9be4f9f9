import { and, desc, eq, gte, inArray, lt, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { describeKeys } from "@/lib/access/key-descriptions";
import { db } from "@/lib/database/open";
import { refusedRequests } from "@/lib/database/schema/schema";
import { loginsOf } from "@/lib/features/users/rows";
import { type ErrorCode, errorCodes } from "@/lib/protocol/error-codes";
import { ApiError } from "@/lib/protocol/errors";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import {
  type RefusedRequest,
  type RefusedRequestDetails,
  type RequestOutcome,
  type RequestsQuery,
  type StepName,
  stepNames,
} from "./contract";
import { keptMilliseconds } from "./write";

const byCode: Partial<Record<ErrorCode, StepName>> = {
  "request.malformed": "frame",
  "request.duplicate-header": "frame",
  "request.header-missing": "frame",
  "request.header-invalid": "frame",
  "request.not-found": "path",
  "site.unknown": "site",
  "request.accept-not-supported": "format",
  "auth.permission-missing": "role",
  "user.no-role": "role",
  "role.not-grantable": "role",
  "user.admin-only": "role",
  "user.oneself": "state",
  "user.system": "state",
  "user.other-home": "state",
  "rate-limit.exceeded": "credential",
  "rate-limit.api-key-exceeded": "credential",
  "auth.too-many-attempts": "credential",
};

const byStatus: Record<number, StepName> = {
  400: "input",
  401: "credential",
  403: "credential",
  404: "resource",
  405: "method",
  406: "format",
  409: "state",
  412: "precondition",
  413: "frame",
  414: "frame",
  415: "format",
  422: "state",
  428: "precondition",
  431: "frame",
};

/** The step at which a request was rejected. */
export function failedStep(code: string): StepName {
  if (!Object.hasOwn(errorCodes, code)) return "server";
  const known = code as ErrorCode;
  return byCode[known] ?? byStatus[errorCodes[known].status] ?? "server";
}

/** The steps of a request in the contract's order, up to the one that rejected it; all steps if none did. */
export function stepsTo(failed: StepName | undefined): RefusedRequestDetails["steps"] {
  const at = failed === undefined ? stepNames.length : stepNames.indexOf(failed);
  return stepNames.map((step, index) => ({
    step,
    outcome: index < at ? "passed" : index === at ? "failed" : "not-reached",
  }));
}

export type RequestRow = typeof refusedRequests.$inferSelect;

/** "GET /v1/user/list"; undefined if no route matched the request. */
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

/** The meaning of a response: its error code, or that it succeeded. */
export const meaningOf = ({ status, code }: Pick<RequestRow, "status" | "code">) =>
  status < 400
    ? {
        title: "The request succeeded.",
        remedy: "Of such requests one is kept for each credential, operation, status and minute.",
      }
    : (errorCodes[code as keyof typeof errorCodes] ?? errorCodes["server.internal-error"]);

function answerOf(row: RequestRow): RefusedRequest {
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
      title: meaningOf(row).title,
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

const present = (values: (string | null)[]) => [
  ...new Set(values.filter((value) => value !== null)),
];

/** Requests with the current names of their callers: the login of a user, the name of an API key. */
export async function withNames(tenantId: string, rows: RequestRow[]): Promise<RefusedRequest[]> {
  const ofKeys = rows.filter(({ credentialKind }) => credentialKind === "apiKey");
  const [logins, keys] = await Promise.all([
    loginsOf(tenantId, present(rows.map(({ userId }) => userId))),
    describeKeys(tenantId, present(ofKeys.map(({ credentialId }) => credentialId))),
  ]);
  const keyNames = new Map(keys.map(({ apiKeyId, name }) => [apiKeyId, name]));
  return rows.map((row) => {
    const { caller, ...request } = answerOf(row);
    if (!caller) return request;
    const login = logins.get(row.userId ?? "");
    const keyName = keyNames.get(row.credentialId ?? "");
    const named = {
      ...(login !== undefined && { login }),
      ...(keyName !== undefined && { keyName }),
    };
    return { ...request, caller: { ...caller, ...named } };
  });
}

type Filters = z.output<typeof RequestsQuery>;

/** The condition for an operation like "GET /v1/user/list": a HEAD counts as GET. */
function isOperation(operation: string): SQL | undefined {
  const [method = "", template = ""] = operation.split(" ");
  const methods = method === "GET" ? ["GET", "HEAD"] : [method];
  return and(inArray(refusedRequests.method, methods), eq(refusedRequests.template, template));
}

const equals = (column: AnyPgColumn, value: string | number | undefined) =>
  value === undefined ? undefined : eq(column, value);

/** The range of statuses of each outcome: from (inclusive), to (exclusive). */
const statusesOf: Record<RequestOutcome, [number, number]> = {
  succeeded: [200, 400],
  failed: [400, 600],
  "client-error": [400, 500],
  "server-error": [500, 600],
};

function ofOutcome(outcome: RequestOutcome | undefined): SQL[] {
  if (outcome === undefined) return [];
  const [from, below] = statusesOf[outcome];
  return [gte(refusedRequests.status, from), lt(refusedRequests.status, below)];
}

/** The conditions of the filters; `userId` is the older name of `user`. */
function conditions({ outcome, operation, ...query }: Filters): (SQL | undefined)[] {
  return [
    equals(refusedRequests.requestId, query.requestId),
    equals(refusedRequests.code, query.code),
    equals(refusedRequests.userId, query.user ?? query.userId),
    equals(refusedRequests.credentialId, query.apiKey),
    equals(refusedRequests.status, query.status),
    equals(refusedRequests.siteId, query.site),
    equals(refusedRequests.address, query.address),
    operation === undefined ? undefined : isOperation(operation),
    ...ofOutcome(outcome),
  ];
}

/** Failed requests of the tenant and a sample of those that succeeded, newest first. */
export async function listRequests(caller: Caller, query: Filters): Promise<Page<RefusedRequest>> {
  const after = readCursor(query.cursor, 1);
  const { from, to } = query;
  const kept = new Date(Date.now() - keptMilliseconds);
  const rows = await db()
    .select()
    .from(refusedRequests)
    .where(
      and(
        eq(refusedRequests.tenantId, caller.tenantId),
        gte(refusedRequests.occurredAt, from !== undefined && from > kept ? from : kept),
        to && lt(refusedRequests.occurredAt, to),
        ...conditions(query),
        after && lt(refusedRequests.refusalId, after[0] ?? ""),
      ),
    )
    .orderBy(desc(refusedRequests.refusalId))
    .limit(query.limit + 1);
  const page = cutPage(rows, query.limit, (row) => [row.refusalId]);
  return { items: await withNames(caller.tenantId, page.items), next: page.next };
}

/** One request of the tenant, as it is stored. Throws 404. */
export async function findRequest(caller: Caller, id: string): Promise<RequestRow> {
  const mine = and(
    eq(refusedRequests.tenantId, caller.tenantId),
    eq(refusedRequests.refusalId, id),
  );
  const [row] = await db().select().from(refusedRequests).where(mine);
  if (row) return row;
  throw new ApiError("refusal.not-found", "No request with this id was kept in the last 7 days.");
}
