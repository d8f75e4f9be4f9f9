import { randomBytes } from "node:crypto";
import { and, eq, isNotNull } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { apiKeys, mails, users } from "@/lib/database/schema/schema";
import { wordsIn } from "@/lib/features/mail/words";
import { confirmationMailWriter } from "@/lib/features/users/email-confirmation";
import { resetMailWriter } from "@/lib/features/users/reset-mail";
import type { Answered, Send } from "@/lib/http/testing/test-server";
import { type Known, newPassword, type Step, thief } from "./account-steps";
import { type Copy, type Credential, copyWorld } from "./account-world";

/*
 * Executes what a caller with few permissions could do, step by step, each chain on a copy of the world, and queries the service for the
 * permissions of every credential obtained:
 *
 *   state    a copy of the world, what the caller has learned, and the steps so far
 *   step     one request by the caller, or with an obtained credential
 *   rights   permissions by place ("A", "A a-one", "B", ...) as GET /v1/user/session shows them
 */

export type Rights = Map<string, ReadonlySet<string>>;

export interface State {
  copy: Copy;
  known: Known;
  /** The caller's own credential, and those obtained. */
  credentials: Credential[];
  steps: string[];
  /** Whether a step set a password, so that a sign-in with it may work. */
  isPasswordSet: boolean;
  /** Users whose roles a step set: the permissions that they gained were granted on the record. */
  granted: readonly string[];
  /** Whether mail for the thief may be queued. */
  hasAskedForMail: boolean;
}

const sitesOf = { A: ["", "a-one", "a-two"], B: ["", "b-one"] } as const;
const headersOf = ({ headers, tenant }: Credential, copy: Copy) => ({
  ...headers,
  "X-Service-Tenant": copy[tenant],
});

export const newCopy = (): Copy => {
  const mark = randomBytes(6).toString("hex");
  return { A: `t-${mark}a`, B: `t-${mark}b` };
};

export async function copyState(state: State): Promise<State> {
  const copy = newCopy();
  await copyWorld(state.copy, copy);
  return { ...state, copy };
}

/** A credential's permissions by place, and its user; undefined if it is invalid. */
export async function measure(send: Send, copy: Copy, credential: Credential) {
  const rights: Rights = new Map();
  let userId: string | undefined;
  const look = async (one: Credential) => {
    for (const site of sitesOf[one.tenant]) {
      const headers = { ...headersOf(one, copy), ...(site && { "X-Service-Site": site }) };
      const { status, body } = await send("GET /v1/user/session", { headers });
      if (status !== 200) continue;
      userId = body.user.id;
      rights.set(`${one.tenant} ${site}`.trim(), new Set(body.permissions));
    }
  };
  await look(credential);
  if (userId === undefined || credential.tenant === "B") return { userId, rights };
  const switched = await send("POST /v1/user/session/switch", {
    headers: headersOf(credential, copy),
    body: { tenant: copy.B },
  });
  if (switched.status === 200)
    await look({ ...sessionOf(switched.body.sessionId), tenant: "B", name: credential.name });
  return { userId, rights };
}

const sessionOf = (sessionId: string) => ({ headers: { "X-Service-Session-Id": sessionId } });

/** Every string in a body. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** Secrets in a response: sessions, keys, tokens of links. */
function gainsOf(step: Step, { body }: Answered): { credentials: Credential[]; tokens: string[] } {
  const found = stringsIn(body);
  const starting = (prefix: string) => found.filter((text) => text.startsWith(prefix));
  const tenant = step.operation.endsWith("/switch") ? ("B" as const) : ("A" as const);
  const name = `what ${step.operation} gave`;
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  return {
    credentials: [
      ...starting("svs_").map((id) => ({ name, tenant, ...sessionOf(id) })),
      ...starting("svk_").map((key) => ({ name, tenant, headers: { "X-Service-API-Key": key } })),
      ...starting("eyJ").map((token) => ({ name, tenant, headers: bearer(token) })),
    ],
    tokens: starting("svl_"),
  };
}

/** A session for the login with the password that the thief set; none if that password is not set. */
async function signIn(send: Send, copy: Copy, login: string): Promise<Credential[]> {
  const body = { login, tenant: copy.A, password: newPassword };
  const answer = await send("POST /v1/user/session-login", {
    headers: { "X-Service-Tenant": copy.A },
    body,
  });
  if (answer.status !== 200) return [];
  return [{ name: `the sign-in of ${login}`, tenant: "A", ...sessionOf(answer.body.sessionId) }];
}

/** Sends the step with the credential; returns the new state, or the service's error code. */
export async function takeStep(
  send: Send,
  state: State,
  by: Credential,
  step: Step,
): Promise<State | string> {
  const { copy } = state;
  const method = step.operation.slice(0, step.operation.indexOf(" "));
  const headers = headersOf(by, copy);
  const body = step.operation.endsWith("/switch") ? { tenant: copy.B } : step.body;
  const site = by.name === "um1" ? { "X-Service-Site": "a-one" } : {};
  const etag = step.isConditional
    ? (await send(`GET ${step.path}`, { headers: { ...headers, ...site } })).headers.get("etag")
    : null;
  const answer = await send(`${method} ${step.path}`, {
    headers: { ...headers, ...site, ...(etag && { "If-Match": etag }) },
    ...(body !== undefined && { body }),
  });
  if (answer.status >= 400) return String(answer.body?.code);
  const { credentials, tokens } = gainsOf(step, answer);
  const { known } = state;
  const id: string | undefined = /^POST \/v1\/user\/(?:invitations|service-users)$/.test(
    step.operation,
  )
    ? answer.body.id
    : undefined;
  const { login = "" } = Object(step.body) as { login?: string };
  const created = id === undefined ? [] : [{ name: login, userId: id, login }];
  return {
    ...state,
    credentials: [...state.credentials, ...credentials],
    known: {
      ...known,
      subjects: [...known.subjects, ...created],
      tokens: [...known.tokens, ...tokens],
    },
    granted: step.isConditional ? [...state.granted, ...step.touches] : state.granted,
    hasAskedForMail: state.hasAskedForMail || step.operation.endsWith("/password-resets"),
    isPasswordSet: state.isPasswordSet || /\/(?:accept|confirm)$/.test(step.operation),
    steps: [...state.steps, `${by.name}: ${step.operation} ${step.touches.join(" ")}`.trim()],
  };
}

const writers = {
  "password-reset": resetMailWriter,
  "email-confirmation": confirmationMailWriter,
};

/** The tokens of links mailed to the thief; delivers queued mail first. */
async function mailedTokens({ A }: Copy, kind: keyof typeof writers): Promise<string[]> {
  const waiting = and(eq(mails.tenantId, A), eq(mails.kind, kind), isNotNull(mails.dueAt));
  const tokens: string[] = [];
  for (const mail of await db().select().from(mails).where(waiting)) {
    const opened = await writers[kind].open(mail);
    if (opened?.to.address !== thief) continue;
    const { text } = await opened.letter(wordsIn(new Map(), undefined));
    tokens.push(/#token=(svl_\w+)/.exec(text)?.[1] ?? "");
  }
  return tokens;
}

/** Every credential that the caller could use now: redeems links, and signs in users whose password was set. Changes the copy. */
export async function everything(send: Send, { copy, known, credentials, isPasswordSet }: State) {
  const headers = { "X-Service-Tenant": copy.A };
  const logins = new Set(isPasswordSet ? known.subjects.map(({ login }) => login) : []);
  for (const token of await mailedTokens(copy, "email-confirmation"))
    await send("POST /v1/user/email-confirmations/confirm", { headers, body: { token } });
  for (const token of [...known.tokens, ...(await mailedTokens(copy, "password-reset"))]) {
    const body = { token, password: newPassword };
    const accepted = await send("POST /v1/user/invitations/accept", { headers, body });
    if (accepted.status === 200) logins.add(accepted.body.login);
    const confirmed = await send("POST /v1/user/password-resets/confirm", { headers, body });
    if (confirmed.status === 204) for (const { login } of known.subjects) logins.add(login);
  }
  const all = [...credentials];
  for (const login of logins) all.push(...(await signIn(send, copy, login)));
  return all;
}

/** The data that decides about permissions, as one text: a step that does not change it starts no chain. */
export async function fingerprint({ copy: { A }, credentials, known }: State): Promise<string> {
  const { userId, state, isLocked, emailAddress, grants } = users;
  const people = await db()
    .select({ userId, state, isLocked, emailAddress, grants })
    .from(users)
    .where(eq(users.tenantId, A))
    .orderBy(userId);
  const { apiKeyId, userId: owner, secretHash, revokedAt, suspendedAt, ...limits } = apiKeys;
  const { awaitsRotation, allowedAddresses, rateLimit } = limits;
  const keys = await db()
    .select({
      apiKeyId,
      owner,
      secretHash,
      revokedAt,
      suspendedAt,
      awaitsRotation,
      allowedAddresses,
      rateLimit,
    })
    .from(apiKeys)
    .where(eq(apiKeys.tenantId, A))
    .orderBy(apiKeyId);
  const waiting = await db().$count(mails, and(eq(mails.tenantId, A), isNotNull(mails.dueAt)));
  return JSON.stringify([people, keys, waiting, credentials.length, known.tokens.length]);
}
