import { z } from "zod";
import { TenantRoles } from "@/lib/features/users/contract";
import { userGuardCodes } from "@/lib/protocol/code-groups";
import { automation, endpoint, inSession, management } from "@/lib/protocol/endpoint";
import {
  InstantAnswer,
  NewPasswordText,
  PasswordText,
  Slug,
  untagged,
} from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";
import { AuthenticatedBy } from "./steps-contract";

export const SessionLogin = z.strictObject({
  login: z.string().min(1).max(512),
  tenant: z.string().min(1).max(512),
  password: PasswordText,
  site: Slug.optional(),
});

export const sessionLogin = endpoint({
  operation: "POST /v1/user/session-login",
  summary: "Obtain a session",
  credentials: [],
  limits: { body: 8 * 1024, address: "login" },
  body: SessionLogin,
  answer: z.object({ sessionId: z.string() }),
  codes: [
    "tenant.mismatch",
    "site.unknown",
    "auth.login-failed",
    "user.locked",
    "user.deactivated",
    "user.no-role",
    "auth.password-expired",
    "auth.second-factor-required",
    "auth.second-factor-setup-required",
    "auth.password-not-accepted",
    "auth.too-many-attempts",
    "auth.busy",
  ],
});

export const CurrentSession = z.object({
  user: z.object({ id: z.string(), login: z.string(), name: z.string() }),
  tenant: z.string(),
  site: z.string().optional(),
  roles: TenantRoles,
  permissions: z.array(z.string()),
  expiresAt: InstantAnswer.optional(),
  idleExpiresAt: InstantAnswer.optional().meta(untagged),
  passwordChangeRequired: z.literal(true).optional(),
});

export const getCurrentSession = endpoint({
  operation: "GET /v1/user/session",
  summary: "Show who is calling, and what they may do",
  credentials: management,
  permission: "any-role",
  worksBeforePasswordChange: true,
  answer: CurrentSession,
  conditional: "tag",
});

export const endCurrentSession = endpoint({
  operation: "DELETE /v1/user/session",
  summary: "End this session, and those opened from it by a switch",
  ...inSession("ownAccount"),
  worksBeforePasswordChange: true,
  status: 204,
  conditional: "tag",
});

export const switchSession = endpoint({
  operation: "POST /v1/user/session/switch",
  summary: "Obtain a session in another tenant where one has roles; it ends no later than this one",
  ...inSession("ownAccount"),
  body: z.strictObject({ tenant: Slug }),
  answer: z.object({ sessionId: z.string(), ref: z.string() }),
  replay: { secretId: "ref" },
  codes: [
    "user.no-role",
    "session.same-tenant",
    "user.locked",
    "auth.second-factor-setup-required",
    "auth.password-not-accepted",
    "auth.passkey-not-accepted",
  ],
});

export const OwnTenant = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["platform", "production", "sandbox", "demo"]),
  home: z.boolean().meta({ description: "Whether the person's own row is there" }),
});

export type OwnTenant = z.infer<typeof OwnTenant>;

export const listOwnTenants = endpoint({
  operation: "GET /v1/user/tenants",
  summary:
    "List the tenants that one may switch to, this one too, newest first; nobody else sees the list",
  ...inSession("ownAccount"),
  query: z.strictObject(pageQuery),
  answer: z.array(OwnTenant),
});

export const Session = z.object({
  ref: z.string(),
  createdAt: InstantAnswer,
  authenticatedAt: InstantAnswer.meta({
    description:
      "When the password or a second factor was checked last; a switch from another tenant keeps it",
  }),
  authenticatedBy: AuthenticatedBy,
  lastSeenAt: InstantAnswer,
  expiresAt: InstantAnswer,
  idleExpiresAt: InstantAnswer,
  address: z.string(),
  agent: z.string(),
  site: z.string().optional(),
  current: z.boolean(),
});

export type Session = z.infer<typeof Session>;

export const listSessions = endpoint({
  operation: "GET /v1/user/sessions",
  summary: "List one's own sessions, newest first",
  ...inSession("ownAccount"),
  permission: "any-role",
  query: z.strictObject(pageQuery),
  answer: z.array(Session),
});

export const endOtherSessions = endpoint({
  operation: "DELETE /v1/user/sessions",
  summary:
    "End all of one's own sessions in every tenant but this one, in the home tenant; API keys remain valid",
  ...inSession("ownAccount"),
  permission: "any-role",
  status: 204,
  codes: ["user.other-home"],
});

export const endSession = endpoint({
  operation: "DELETE /v1/user/sessions/{ref}",
  summary: "End one of one's own sessions, and those opened from it by a switch",
  ...inSession("ownAccount"),
  permission: "any-role",
  status: 204,
  codes: ["session.not-found"],
});

export const listUserSessions = endpoint({
  operation: "GET /v1/user/{id}/sessions",
  summary: "List the sessions of a user, newest first",
  ...automation,
  permission: "session.manage",
  query: z.strictObject(pageQuery),
  answer: z.array(Session),
  codes: ["user.not-found"],
});

export const endUserSessions = endpoint({
  operation: "DELETE /v1/user/{id}/sessions",
  summary: "End every session of a user: in every tenant, when called in the user's home tenant",
  ...automation,
  permission: "session.manage",
  status: 204,
  codes: [...userGuardCodes],
});

export const createPortalToken = endpoint({
  operation: "POST /v1/user/portal-token",
  summary: "Obtain a management bearer that ends with this session",
  ...inSession("ownAccount"),
  permission: "any-role",
  answer: z.object({ accessToken: z.string(), tokenType: z.literal("Bearer"), expiresIn: z.int() }),
  replay: { secretId: null },
});

export const ChangePassword = z.strictObject({
  current: PasswordText,
  password: NewPasswordText,
});

export const changePassword = endpoint({
  operation: "PUT /v1/user/password",
  summary:
    "Change one's own password and end one's other sessions in every tenant; API keys remain valid",
  ...inSession("ownAccount"),
  worksBeforePasswordChange: true,
  limits: { body: 8 * 1024 },
  body: ChangePassword,
  status: 204,
  codes: ["password.unsuitable", "auth.too-many-attempts", "auth.busy", "user.other-home"],
});
