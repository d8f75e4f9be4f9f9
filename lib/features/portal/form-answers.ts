import type { SetUpStep } from "@/lib/features/sessions/steps-contract";
import type { TenantSession } from "./cookies";
import { type FormProblem, type PostedForm, parsed } from "./values";

/** The response of an operation. */
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

/** The form again, with its values and the problem. */
export const again = (
  values: PostedForm["values"],
  answered: Answered,
  more: Partial<PostedForm> = {},
): Result => ({ form: { ...more, values, problem: problemOf(answered) } });

/*
 * The set-up of a second factor that the tenant requires, as a form of the sign-in page. The browser submits it natively, even with
 * scripts: only then can the next page show what is shown once.
 */

interface Pending {
  tenant: string;
  login: string;
  challenge: string;
}

/** The first step of the set-up; the sign-in form if the challenge is invalid. */
export async function beginSetUp(send: SendOperation, pending: Pending): Promise<Result> {
  const { tenant, login, challenge } = pending;
  const operation = "POST /v1/user/session-login/set-up";
  const answered = await send(operation, { tenant, body: { challenge } });
  if (hasFailed(answered)) return again({ tenant, login }, answered);
  const { totp, passkey } = answered.body as unknown as SetUpStep;
  return { form: { values: { ...pending }, step: "set-up", setUp: { totp, passkey } } };
}

/** The same step again, so that the app keeps its secret. */
function stepOf(text: string): SetUpStep | undefined {
  const step = parsed(text);
  const isStep = typeof step === "object" && step !== null && "totp" in step && "passkey" in step;
  return isStep ? (step as SetUpStep) : undefined;
}

export const setUp: Submit = async ({ fields, send }) => {
  const [tenant, login] = [textOf(fields, "tenant"), textOf(fields, "login")];
  const challenge = textOf(fields, "challenge");
  const step = stepOf(fields.get("setUp") ?? "");
  if (!step) return beginSetUp(send, { tenant, login, challenge });
  const passkey = parsed(fields.get("passkey") || undefined);
  const proof = passkey
    ? { passkey }
    : { totp: { id: step.totp.id, code: textOf(fields, "code") } };
  const operation = "POST /v1/user/session-login/set-up/confirm";
  const answered = await send(operation, { tenant, body: { challenge, ...proof } });
  if (!hasFailed(answered)) return shown({ tenant, login }, answered);
  return answered.status === 400
    ? again({ tenant, login, challenge }, answered, { step: "set-up", setUp: step })
    : again({ tenant, login }, answered);
};

function shown(values: { tenant: string; login: string }, { body }: Answered): Result {
  const recoveryCodes = Array.isArray(body.recoveryCodes) ? body.recoveryCodes.map(String) : [];
  return {
    form: { values, step: "recovery-codes", recoveryCodes },
    session: { tenant: values.tenant, sessionId: String(body.sessionId) },
  };
}
