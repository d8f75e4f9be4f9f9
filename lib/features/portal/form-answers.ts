import type { TenantSession } from "./cookie-sessions";
import type { FormProblem, PostedForm } from "./values";

/** What an operation answered. */
export interface Answered {
  status: number;
  headers: Pick<Headers, "get">;
  body: Readonly<Record<string, unknown>>;
}

export type SendOperation = (
  operation: string,
  given: {
    tenant?: string;
    body?: unknown;
    sessionId?: string;
    /** Sends the browser's own cookie. */
    asBrowser?: boolean;
  },
) => Promise<Answered>;

export interface SentForm {
  path: string;
  query: URLSearchParams;
  fields: URLSearchParams;
  headers: Pick<Headers, "get">;
  send: SendOperation;
}

export interface Result {
  location?: string;
  form?: PostedForm;
  session?: TenantSession;
}

export type Submit = (sent: SentForm, tenant: string) => Promise<Result>;

export const textOf = (fields: URLSearchParams, name: string) => (fields.get(name) ?? "").trim();

function problemOf({ status, headers, body }: Answered): FormProblem {
  const { code, detail, reason } = body;
  const requestId = headers.get("x-service-request-id");
  const retryAfter = headers.get("retry-after");
  return {
    status,
    code: String(code),
    detail: String(detail),
    ...(typeof reason === "string" ? { reason } : {}),
    ...(requestId ? { requestId } : {}),
    ...(retryAfter ? { retryAfterSeconds: Number(retryAfter) } : {}),
  };
}

export const hasFailed = ({ status }: Answered) => status >= 400;

/** The form again, with what was typed and what is wrong. */
export const again = (
  values: PostedForm["values"],
  answered: Answered,
  more: Partial<PostedForm> = {},
): Result => ({ form: { ...more, values, problem: problemOf(answered) } });
