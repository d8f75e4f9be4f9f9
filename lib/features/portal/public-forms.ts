import { ApiError } from "@/lib/protocol/errors";
import { isSlug } from "@/lib/protocol/formats";
import { sessionCookie, type TenantSession } from "./cookies";
import {
  type Answered,
  again,
  beginSetUp,
  hasFailed,
  type Result,
  type SendOperation,
  type SentForm,
  type Submit,
  setUp,
  textOf,
} from "./form-answers";
import { type FormProblem, ownPath, type PostedForm } from "./values";

/*
 * The forms of the pages before sign-in, as a browser submits them natively: without scripts, or before the page's scripts run.
 *
 *   POST /sign-in  ->  the operations that the page's scripts would call  ->  303 to the portal, or the page again
 *
 * Each goes through the same operations as every client, so that their checks, limits and log are the same.
 */

/** The redirect target, or the state with which the page is shown again. */
export interface FormOutcome {
  location?: string;
  form?: PostedForm;
  /** A `Set-Cookie` header. */
  cookie?: string;
}

interface Credentials {
  tenant: string;
  login: string;
  password: string;
}

const logIn = (send: SendOperation, { tenant, login, password }: Credentials) =>
  send("POST /v1/user/session-login", { tenant, body: { tenant, login, password } });

/** A syntactically invalid login gets the response of an unknown one. */
const asUnknown = (answered: Answered): Answered =>
  answered.status === 400
    ? { ...answered, status: 401, body: { code: "auth.login-failed", detail: loginFailed } }
    : answered;

const loginFailed = "The tenant, the login or the password is not right.";

const sessionOf = (tenant: string, { body }: Answered): TenantSession => ({
  tenant,
  sessionId: String(body.sessionId),
});

const signInPage = (tenant: string) => `/sign-in?tenant=${encodeURIComponent(tenant)}`;

/** Signs in and redirects to the tenant, or to the sign-in page if the new password does not sign in. */
async function enter(send: SendOperation, who: Credentials): Promise<Result> {
  const answered = await logIn(send, who);
  return hasFailed(answered)
    ? { location: signInPage(who.tenant) }
    : { location: `/t/${who.tenant}`, session: sessionOf(who.tenant, answered) };
}

const changePassword: Submit = async ({ fields, query, send }) => {
  const values = { tenant: textOf(fields, "tenant"), login: textOf(fields, "login") };
  const { tenant } = values;
  const body = { current: fields.get("current") ?? "", password: fields.get("password") ?? "" };
  const answered = await send("PUT /v1/user/password", { tenant, body, asBrowser: true });
  return hasFailed(answered)
    ? again(values, answered, { step: "change-password" })
    : { location: ownPath(query.get("next")) ?? `/t/${tenant}` };
};

/** The first page after sign-in, or the form for a new password if the current one is a one-time password. */
async function afterSignIn(
  { query, send }: SentForm,
  values: { tenant: string; login: string },
  answered: Answered,
): Promise<Result> {
  const { tenant, login } = values;
  const session = sessionOf(tenant, answered);
  const { body } = await send("GET /v1/user/session", { tenant, sessionId: session.sessionId });
  if (body.passwordChangeRequired === true)
    return { form: { values: { tenant, login }, step: "change-password" }, session };
  return { location: ownPath(query.get("next")) ?? `/t/${tenant}`, session };
}

const secondFactor: Submit = async (sent) => {
  const { fields, send } = sent;
  const who = { tenant: textOf(fields, "tenant"), login: textOf(fields, "login") };
  const challenge = textOf(fields, "challenge");
  const typed = textOf(fields, "code");
  const proof = /^[\d\s]+$/.test(typed) ? { code: typed } : { recoveryCode: typed };
  const { tenant } = who;
  const body = { challenge, ...proof };
  const answered = await send("POST /v1/user/session-login/second-factor", { tenant, body });
  if (!hasFailed(answered)) return afterSignIn(sent, who, answered);
  return answered.body.code === "auth.challenge-invalid"
    ? again(who, answered)
    : again({ ...who, challenge }, answered, { step: "second-factor" });
};

const signIn: Submit = async (sent, given) => {
  const { fields, send } = sent;
  if (fields.get("step") === "change-password") return changePassword(sent, given);
  if (fields.get("step") === "second-factor") return secondFactor(sent, given);
  if (fields.get("step") === "set-up") return setUp(sent, given);
  const values = {
    tenant: textOf(fields, "tenant").toLowerCase(),
    login: textOf(fields, "login"),
  };
  const answered = await logIn(send, { ...values, password: fields.get("password") ?? "" });
  const { code, reason } = answered.body;
  if (code === "auth.second-factor-setup-required")
    return beginSetUp(sent.send, { ...values, challenge: String(reason) });
  if (code === "auth.second-factor-required")
    return { form: { values: { ...values, challenge: String(reason) }, step: "second-factor" } };
  return hasFailed(answered)
    ? again(values, asUnknown(answered))
    : afterSignIn(sent, values, answered);
};

const signUp: Submit = async ({ fields, send }) => {
  const values = {
    tenant: textOf(fields, "tenant").toLowerCase(),
    site: textOf(fields, "site").toLowerCase(),
    name: fields.get("name") ?? "",
    emailAddress: textOf(fields, "emailAddress"),
    login: textOf(fields, "login"),
  };
  const password = fields.get("password") ?? "";
  const answered = await send("POST /v1/signup", { body: { ...values, password } });
  return hasFailed(answered) ? again(values, answered) : enter(send, { ...values, password });
};

const forgotPassword: Submit = async ({ fields, send }) => {
  const values = {
    tenant: textOf(fields, "tenant").toLowerCase(),
    login: textOf(fields, "login"),
  };
  const { tenant, login } = values;
  const answered = await send("POST /v1/user/password-resets", { tenant, body: { login } });
  return hasFailed(answered) ? again(values, answered) : { form: { values, step: "requested" } };
};

/** The token in the fragment of a pasted link; any other text is the token itself. */
function partsOf(link: string): { token: string; key: string } {
  const parts = new URLSearchParams(link.slice(link.indexOf("#") + 1));
  return { token: parts.get("token") ?? link, key: parts.get("key") ?? "" };
}

const acceptInvitation: Submit = async ({ fields, send }, tenant) => {
  const link = textOf(fields, "link");
  const password = fields.get("password") ?? "";
  const body = { token: partsOf(link).token, password };
  const answered = await send("POST /v1/user/invitations/accept", { tenant, body });
  if (hasFailed(answered)) return again({ link }, answered);
  return enter(send, { tenant, login: String(answered.body.login), password });
};

const resetPassword: Submit = async ({ fields, send }, tenant) => {
  const link = textOf(fields, "link");
  const body = { token: partsOf(link).token, password: fields.get("password") ?? "" };
  const answered = await send("POST /v1/user/password-resets/confirm", { tenant, body });
  return hasFailed(answered) ? again({ link }, answered) : { location: signInPage(tenant) };
};

const confirmEmail: Submit = async ({ fields, send }, tenant) => {
  const link = textOf(fields, "link");
  const body = { token: partsOf(link).token };
  const answered = await send("POST /v1/user/email-confirmations/confirm", { tenant, body });
  return hasFailed(answered)
    ? again({ link }, answered)
    : { form: { values: {}, step: "confirmed" } };
};

const incompleteLink: FormProblem = {
  status: 400,
  code: "request.validation-failed",
  detail: "Paste the complete link that you were sent, or ask for a new one.",
  reason: "/link",
};

const openHandOff: Submit = async ({ fields, send }, tenant) => {
  const link = textOf(fields, "link");
  const { token, key } = partsOf(link);
  // Opening it without the key would use up the link.
  if (key === "") return { form: { values: { link }, problem: incompleteLink } };
  const body = { token };
  const answered = await send("POST /v1/user/api-keys/hand-offs/open", { tenant, body });
  if (hasFailed(answered)) return again({ link }, answered);
  const { sealed, name, validTo } = answered.body;
  const opened = { sealed: String(sealed), name: String(name), validTo: String(validTo) };
  return { form: { values: { link }, step: "opened", opened } };
};

const forms: Readonly<Record<string, Submit>> = {
  "/sign-in": signIn,
  "/sign-up": signUp,
  "/forgot-password": forgotPassword,
  "/invite/": acceptInvitation,
  "/reset-password/": resetPassword,
  "/confirm-email/": confirmEmail,
  "/hand-off/": openHandOff,
};

function formAt(path: string): { submit: Submit; tenant: string } | undefined {
  const [, page = "", tenant = ""] = /^(\/[a-z-]+\/?)([^/]*)$/.exec(path) ?? [];
  const submit = forms[page];
  const isComplete = page.endsWith("/") ? isSlug(tenant) : tenant === "";
  return submit && isComplete ? { submit, tenant } : undefined;
}

/** Whether the page at the path has a form that works without scripts. */
export const isPublicForm = (path: string): boolean => formAt(path) !== undefined;

/** Runs the operation of the page's form. Throws 404 for a page without one. */
export async function submitPublicForm(sent: SentForm): Promise<FormOutcome> {
  const found = formAt(sent.path);
  if (!found) throw new ApiError("request.not-found", "There is no form at this address.");
  const { session, ...outcome } = await found.submit(sent, found.tenant);
  return session ? { ...outcome, cookie: await sessionCookie(sent.headers, session) } : outcome;
}
