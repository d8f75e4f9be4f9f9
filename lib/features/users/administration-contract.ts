import { z } from "zod";
import { roleIds } from "@/lib/access/roles";
import { passwordLinkCodes, userGuardCodes } from "@/lib/protocol/code-groups";
import { automation, endpoint, inSession } from "@/lib/protocol/endpoint";
import {
  EmailAddress,
  Instant,
  InstantAnswer,
  Label,
  listOf,
  NewPasswordText,
  Slug,
} from "@/lib/protocol/formats";
import { TenantRoles, User } from "./contract";

const byManager = { ...automation, permission: "user.manage" } as const;

export const UserChange = z.strictObject({
  name: Label.optional(),
  emailAddress: EmailAddress.optional(),
});

export const updateUser = endpoint({
  operation: "PATCH /v1/user/{id}",
  summary: "Change the name or the e-mail address of a user, in the user's home tenant",
  ...byManager,
  body: UserChange,
  answer: User,
  codes: [...userGuardCodes, "user.other-home", "user.erased", "user.deactivated"],
  isConditional: true,
});

export const Lock = z.strictObject({
  reason: Label,
  until: Instant.optional().meta({
    description: "When the lock ends by itself; without it an administrator unlocks",
  }),
});

export const lockUser = endpoint({
  operation: "POST /v1/user/{id}/lock",
  summary:
    "Lock a user: sessions, keys and tokens are refused within a second, and work again after unlocking",
  ...byManager,
  body: Lock,
  answer: User,
  codes: [
    ...userGuardCodes,
    "user.oneself",
    "user.erased",
    "user.last-admin",
    "user.deactivated",
    "user.locked",
  ],
});

export const unlockUser = endpoint({
  operation: "POST /v1/user/{id}/unlock",
  summary: "Unlock a user",
  ...byManager,
  answer: User,
  codes: [...userGuardCodes, "user.erased", "user.deactivated"],
});

export const deactivateUser = endpoint({
  operation: "POST /v1/user/{id}/deactivate",
  summary: "Deactivate a user in every tenant, by the home tenant",
  ...byManager,
  answer: User,
  codes: [...userGuardCodes, "user.oneself", "user.other-home", "user.erased", "user.last-admin"],
});

export const reactivateUser = endpoint({
  operation: "POST /v1/user/{id}/reactivate",
  summary: "Make a deactivated user active again",
  ...byManager,
  answer: User,
  codes: [...userGuardCodes, "user.other-home", "user.erased"],
});

const RoleIds = listOf(z.enum(roleIds), roleIds.length);

const maxSites = 1000;

/** Rejects too many members before any is looked at, and the one name that Zod's records drop without a word. */
function rejectUnusableSiteIds(sites: unknown, context: z.RefinementCtx): unknown {
  if (typeof sites !== "object" || sites === null) return sites;
  if (Object.hasOwn(sites, "__proto__"))
    context.addIssue({ code: "custom", path: ["__proto__"], message: "must be the id of a site" });
  if (Object.keys(sites).length <= maxSites) return sites;
  context.addIssue({ code: "custom", message: `must name at most ${maxSites} sites` });
  return z.NEVER;
}

const SiteRoles = z
  .record(Slug, z.strictObject({ roleIds: RoleIds }))
  .default({})
  .meta({ maxProperties: maxSites });

/** Roles as a manager sets them: only those that exist. */
export const NewRoles = z.strictObject({
  roleIds: RoleIds,
  sites: z.preprocess(rejectUnusableSiteIds, SiteRoles),
});

export const getUserRoles = endpoint({
  operation: "GET /v1/user/{id}/roles",
  summary: "Show the roles of a user in this tenant, with their ETag",
  ...byManager,
  isConditional: true,
  answer: TenantRoles,
  codes: ["user.not-found"],
});

export const setUserRoles = endpoint({
  operation: "PUT /v1/user/{id}/roles",
  summary:
    "Set the roles of a user in this tenant; If-Match is required, so that two managers do not overwrite each other",
  ...byManager,
  isConditional: true,
  needsPrecondition: true,
  body: NewRoles,
  answer: TenantRoles,
  codes: [
    ...userGuardCodes,
    "user.oneself",
    "user.erased",
    "role.not-grantable",
    "user.last-admin",
    "site.unknown",
  ],
});

export const NewInvitation = z.strictObject({
  login: Label,
  name: Label,
  emailAddress: EmailAddress,
  roles: NewRoles,
});

/** A link to set a password once. The token stands in its fragment too, and is stored nowhere. */
export const PasswordLink = z.object({
  id: z.string(),
  url: z.string(),
  token: z.string(),
  expiresAt: InstantAnswer,
});

export const inviteUser = endpoint({
  operation: "POST /v1/user/invitations",
  summary: "Invite somebody: the answer holds a link to accept with a password, shown only here",
  ...byManager,
  status: 201,
  body: NewInvitation,
  answer: PasswordLink,
  secretId: "id",
  codes: [
    "user.login-taken",
    "role.not-grantable",
    "quota.exceeded",
    "site.unknown",
    "auth.permission-missing",
  ],
});

export const createPasswordReset = endpoint({
  operation: "POST /v1/user/{id}/password-reset",
  summary:
    "Make a link with which a user sets a new password; for one who is invited, a new invitation",
  ...inSession("passwordLink"),
  permission: "user.manage",
  status: 201,
  answer: PasswordLink,
  secretId: "id",
  codes: [
    ...userGuardCodes,
    "user.oneself",
    "user.other-home",
    "user.no-password",
    "user.erased",
    "user.deactivated",
  ],
});

const NewPassword = z.strictObject({
  token: z.string().min(1).max(512),
  password: NewPasswordText,
});
const byPossession = {
  credentials: [],
  addressLimit: "login",
  bodyLimit: 8 * 1024,
  body: NewPassword,
} as const;

export const acceptInvitation = endpoint({
  operation: "POST /v1/user/invitations/accept",
  summary: "Accept an invitation with a password",
  ...byPossession,
  answer: z.object({ id: z.string(), tenant: z.string(), login: z.string(), name: z.string() }),
  codes: [...passwordLinkCodes],
});

export const requestPasswordReset = endpoint({
  operation: "POST /v1/user/password-resets",
  summary:
    "Request a link to reset one's password by mail; the response never tells whether there is such a login",
  description:
    "The link goes to the e-mail address of the user, works once and for an hour, and replaces an earlier one. Requests for one login within 15 minutes give one mail, and a user gets at most 5 a day. Programs, invited, deactivated and locked users get none.",
  credentials: [],
  addressLimit: "reset-request",
  bodyLimit: 8 * 1024,
  needsMail: true,
  body: z.strictObject({ login: z.string().min(1).max(512) }),
  status: 202,
  answer: z.object({}),
  codes: [],
});

export const confirmPasswordReset = endpoint({
  operation: "POST /v1/user/password-resets/confirm",
  summary: "Set a new password with the token of a reset link; every session of the user ends",
  ...byPossession,
  status: 204,
  codes: [...passwordLinkCodes],
});

export const NewServiceUser = z.strictObject({ login: Label, name: Label, roles: NewRoles });

export const createServiceUser = endpoint({
  operation: "POST /v1/user/service-users",
  summary:
    "Make a user for a program: without a password, its keys made by managers, so that it outlives people",
  ...byManager,
  status: 201,
  body: NewServiceUser,
  answer: User,
  codes: ["user.login-taken", "role.not-grantable", "quota.exceeded", "site.unknown"],
});
