import { declaredErrors } from "@/lib/protocol/declared-errors";
import { type Endpoint, methodOf } from "@/lib/protocol/endpoint";
import { type ErrorCode, errorCodes } from "@/lib/protocol/error-codes";
import type { ErrorStatus } from "@/lib/protocol/error-codes/entry";
import { findRoute, isMethod, type RouteTable } from "@/lib/server/routes";
import { noteResponse } from "./observed-responses";

export interface ObservedResponse {
  method: string;
  url: string;
  status: number;
  /** The code of an error that was read as JSON. */
  code: string | undefined;
}

const isErrorCode = (code: string | undefined): code is ErrorCode =>
  code !== undefined && code in errorCodes;

function isDeclared(declared: Endpoint, { status, code }: ObservedResponse): boolean {
  if (status === declared.status) return true;
  if (status === 304) return declared.conditional !== undefined && methodOf(declared) === "GET";
  const codes = declaredErrors(declared).get(status as ErrorStatus);
  // A response to HEAD has no body with the code.
  return codes !== undefined && (code === undefined || (isErrorCode(code) && codes.includes(code)));
}

/** Throws for a response that the declaration of its operation, and with it the OpenAPI document, does not have. */
export function assertDeclared(routes: RouteTable, observed: ObservedResponse): void {
  const { method, url, status, code } = observed;
  const handlers = findRoute(routes, new URL(url).pathname)?.handlers;
  const name = method === "HEAD" ? "GET" : method;
  const declared = isMethod(name) ? handlers?.[name].endpoint : undefined;
  if (declared) noteResponse(declared.operation, status, code);
  // A path with an encoded slash or control character is rejected before its operation is found.
  if (!declared || code === "request.not-found" || isDeclared(declared, observed)) return;
  throw new Error(
    `${declared.operation} does not declare ${status}${code === undefined ? "" : ` ${code}`}: add the code to its contract.`,
  );
}
