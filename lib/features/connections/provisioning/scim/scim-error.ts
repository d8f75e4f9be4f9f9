import { asApiError } from "@/lib/http/error-response";
import type { RequestContext } from "@/lib/http/request-context";
import type { ErrorCode } from "@/lib/protocol/error-codes";
import { cut } from "@/lib/protocol/text";

/** The kinds of errors of RFC 7644, 3.12, as far as they are used. */
export type ScimType =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "mutability"
  | "noTarget"
  | "tooMany"
  | "uniqueness";

/** A SCIM error. Its text contains no personal data, because it is stored in the request log. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    scimType: ScimType | undefined,
    detail: string,
    headers: Record<string, string> = {},
  ) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
    this.headers = headers;
  }
}

/** The SCIM equivalents of the service's own errors. */
const known: Partial<Record<ErrorCode, [status: number, scimType: ScimType, detail?: string]>> = {
  "request.invalid-json": [400, "invalidSyntax"],
  "request.malformed": [400, "invalidSyntax"],
  "request.validation-failed": [400, "invalidValue"],
  "request.too-many-items": [413, "tooMany"],
  "user.login-taken": [
    409,
    "uniqueness",
    "Another user of the tenant has this userName. Somebody who was not provisioned here has to link the provider first.",
  ],
  "user.last-admin": [409, "mutability"],
  "user.erased": [404, "mutability"],
};

/** Converts any error to a SCIM error. */
export function asScimError(error: unknown, context: RequestContext): ScimError {
  if (error instanceof ScimError) return error;
  const { code, status, message, headers } = asApiError(error, context.origin.requestId);
  const [mapped = status, scimType, detail = message] = known[code] ?? [];
  return new ScimError(mapped, scimType, detail, headers);
}

const schema = "urn:ietf:params:scim:api:messages:2.0:Error";

export const bodyOfError = ({ status, scimType, message }: ScimError) => ({
  schemas: [schema],
  status: String(status),
  ...(scimType && { scimType }),
  detail: cut(message, 500),
});
