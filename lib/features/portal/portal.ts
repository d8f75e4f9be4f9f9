import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { authenticate } from "@/lib/access/authenticate";
import { assertPasswordChanged } from "@/lib/access/authorization";
import { assertPermission, type Caller, permissionScope } from "@/lib/access/caller";
import {
  openSessions,
  portalCookieName,
  readSessions,
  sealSessions,
} from "@/lib/access/portal-cookie";
import { countAddressRequest, countRequest } from "@/lib/access/rate-limits";
import { deriveKey } from "@/lib/access/secret-key";
import { SessionLogin } from "@/lib/features/sessions/contract";
import { login } from "@/lib/features/sessions/login";
import { finishLogin, invalidChallenge } from "@/lib/features/sessions/second-factor-login";
import { endCurrentSession } from "@/lib/features/sessions/service";
import { SecondFactorLogin } from "@/lib/features/sessions/steps-contract";
import { switchSession } from "@/lib/features/sessions/switch";
import { originOf } from "@/lib/http/origin";
import { ApiError } from "@/lib/protocol/errors";
import { isSlug } from "@/lib/protocol/formats";
import type { Permission } from "@/lib/protocol/permissions";
import { publicUrl } from "@/lib/protocol/settings";
import { checkBody } from "@/lib/protocol/validation";
import {
  endCookieSession,
  isCookieSecure,
  maxCookieSeconds,
  openCookie,
  sessionsOf,
  withSession,
} from "./cookies";
import { byPasskey, entering, forgetChallenge, keptChallenge } from "./entering";
import { notePageStatus, type PageStatus } from "./page-status";
import { type PostedForm, parsed, postedFormHeader, type SignInOutcome } from "./values";

/** Error codes that require a new sign-in. */
const signInCodes: ReadonlySet<string> = new Set([
  "auth.credentials-missing",
  "auth.credentials-invalid",
  "auth.credentials-expired",
  "auth.password-change-required",
]);

const bySignIn = entering<"tenant" | "login" | "password">(async (given, origin) => {
  const { tenant = "", login: name = "", password = "" } = given ?? {};
  await countAddressRequest("login", origin.address);
  const checked = checkBody(SessionLogin, { tenant, login: name, password });
  if (checked.problems || !isSlug(tenant))
    throw new ApiError("auth.login-failed", "The tenant, the login or the password is not right.");
  const { sessionId } = await login(tenant, checked.value, origin);
  return { id: sessionId, tenant };
});

/** POST /v1/user/session-login/second-factor for the browser. */
const bySecondFactor = entering<"tenant" | "challenge" | "code" | "recoveryCode" | "passkey">(
  async (given, origin) => {
    const { tenant = "", code, recoveryCode } = given ?? {};
    const passkey = parsed(given?.passkey);
    await countAddressRequest("login", origin.address);
    const challenge = given?.challenge ?? (await keptChallenge());
    if (challenge === undefined) throw invalidChallenge();
    const { data, error } = SecondFactorLogin.safeParse({
      ...{ challenge, code, recoveryCode, passkey },
    });
    if (error || !isSlug(tenant))
      throw new ApiError(
        "auth.second-factor-failed",
        "This is no code. Enter all of its characters.",
      );
    const { sessionId } = await finishLogin(tenant, data, origin);
    await forgetChallenge();
    return { id: sessionId, tenant };
  },
);

/** POST /v1/user/session/switch for the browser, which never sees the id of a session. */
const bySwitch = entering<"from" | "tenant">(async (given) => {
  const { from = "", tenant = "" } = given ?? {};
  const caller = await findPortalCaller({ tenant: from });
  await countRequest("session", caller.credentialId);
  if (!isSlug(tenant))
    throw new ApiError("user.no-role", "There is no such tenant.", "portal.default");
  const { sessionId } = await switchSession(caller, tenant);
  return { id: sessionId, tenant };
});

/** The redirect target of next-auth: the URL if it is on this site, otherwise the first page. The URL is untrusted input. */
export function safeRedirect(url: string, baseUrl: string): string {
  if (!URL.canParse(url, baseUrl)) return baseUrl;
  const target = new URL(url, baseUrl);
  return target.origin === new URL(baseUrl).origin ? target.href : baseUrl;
}

/** The sign-in methods, each of which opens a Gatehouse session. */
const providers = (): NextAuthOptions["providers"] => [
  Credentials({ credentials: { tenant: {}, login: {}, password: {} }, authorize: bySignIn }),
  Credentials({
    id: "second-factor",
    credentials: { tenant: {}, challenge: {}, code: {}, recoveryCode: {}, passkey: {} },
    authorize: bySecondFactor,
  }),
  Credentials({
    id: "passkey",
    credentials: { tenant: {}, passkey: {} },
    authorize: byPasskey,
  }),
  Credentials({ id: "switch", credentials: { from: {}, tenant: {} }, authorize: bySwitch }),
];

/** The next-auth options for Gatehouse sessions: the cookie refers to them, the database has their state. */
export function authOptions(): NextAuthOptions {
  process.env.NEXTAUTH_URL ??= publicUrl();
  const isSecure = isCookieSecure();
  return {
    secret: deriveKey("next-auth csrf").toString("hex"),
    useSecureCookies: isSecure,
    cookies: {
      sessionToken: {
        name: portalCookieName(),
        options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure },
      },
    },
    session: { strategy: "jwt", maxAge: maxCookieSeconds },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: providers(),
    jwt: {
      encode: ({ token, maxAge }) =>
        sealSessions(readSessions(token?.sessions), maxAge ?? maxCookieSeconds),
      decode: async ({ token }) => ({ sessions: [...(await openSessions(token ?? ""))] }),
    },
    callbacks: {
      jwt: async ({ token, user }) =>
        user && "tenant" in user
          ? {
              sessions: await withSession(await headers(), {
                tenant: String(user.tenant),
                sessionId: user.id,
              }),
            }
          : token,
      session: ({ session }) => ({ expires: session.expires }),
      redirect: ({ url, baseUrl }) => safeRedirect(url, baseUrl),
    },
    events: {
      signOut: async () => {
        const read = await headers();
        for (const [tenant, sessionId] of await sessionsOf(read))
          await endCookieSession(read, { tenant, sessionId }, endCurrentSession);
      },
    },
  };
}

/** The tenants that this browser is signed in to, the newest last. Does not check that the sessions are still valid. */
export async function portalTenants(): Promise<string[]> {
  return [...(await sessionsOf(await headers())).keys()];
}

interface Wanted {
  tenant: string;
  permission?: Permission | undefined;
  /** Requires a role in the tenant; a role at a site is not enough. */
  isTenantWide?: boolean;
  /** The site in the page's address. */
  site?: string | undefined;
}

/** The site whose role grants the permission, if no role of the tenant does. */
function siteThatPermits(caller: Caller, permission: Permission | undefined): string | undefined {
  if (permission === undefined || permissionScope(caller, permission) === "tenant")
    return undefined;
  return Object.keys(caller.roles.sites).find((siteId) =>
    permissionScope({ ...caller, siteId }, permission),
  );
}

/** The caller of a page, authenticated as for the API. Throws the same errors as the API. */
export async function findPortalCaller({
  tenant,
  permission,
  isTenantWide,
  site,
}: Wanted): Promise<Caller> {
  if (!isSlug(tenant)) throw new ApiError("auth.credentials-missing", "Sign in first.");
  const read = await headers();
  const cookie = new Headers({ cookie: read.get("cookie") ?? "" });
  const { caller } = await authenticate(cookie, {
    tenantId: tenant,
    accepted: ["session"],
    origin: originOf(read),
    operation: "GET /t/{tenant}",
  });
  assertPasswordChanged({ worksBeforePasswordChange: false }, caller);
  const known = site !== undefined && caller.siteIds.has(site) ? site : undefined;
  const asked = { ...caller, siteId: known ?? siteThatPermits(caller, permission) };
  assertPermission(asked, permission ?? "any-role", isTenantWide);
  return asked;
}

/** Like findPortalCaller; without a session it redirects to sign-in, which returns to `path`. */
export async function portalCaller(wanted: Wanted & { path: string }): Promise<Caller> {
  try {
    return await findPortalCaller(wanted);
  } catch (error) {
    if (error instanceof ApiError && signInCodes.has(error.code))
      redirect(`/sign-in?next=${encodeURIComponent(wanted.path)}`);
    throw error;
  }
}

/** The outcome of this browser's latest sign-in at a provider; undefined after five minutes. */
export const signInOutcome = async (): Promise<SignInOutcome | undefined> =>
  (await openCookie("outcome", await headers())) as SignInOutcome | undefined;

/** The result of the page's form that a browser submitted natively; undefined if the page was only opened. */
export async function postedForm(): Promise<PostedForm | undefined> {
  const text = (await headers()).get(postedFormHeader);
  return text === null ? undefined : (JSON.parse(decodeURIComponent(text)) as PostedForm);
}

/** Gives the page of this request its status, while it is rendered and before it is sent. */
export async function answerPageWith(status: PageStatus): Promise<void> {
  const requestId = (await headers()).get("x-service-request-id");
  if (requestId) notePageStatus(requestId, status);
}
