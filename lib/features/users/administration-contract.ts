import { z } from "zod";
import { roleIds } from "@/lib/access/roles";
import { userGuardCodes } from "@/lib/protocol/code-groups";
import { automation, endpoint } from "@/lib/protocol/endpoint";
import {
  boundedText,
  EmailAddress,
  Instant,
  Label,
  listOf,
  NewLogin,
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
  description:
    "Links to reset the password are mailed to the e-mail address: to change somebody else's needs what handing out such a link needs, every permission of the user and tenant.admin for a user with rights in other tenants. An API key changes the name only, and a session needs a recent proof of identity.",
  ...byManager,
  body: UserChange,
  answer: User,
  codes: [
    ...userGuardCodes,
    "user.other-home",
    "user.erased",
    "user.deactivated",
    "user.session-only",
    "auth.step-up-required",
  ],
  conditional: "tag",
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
    "emergency-administrator.last",
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
  codes: [
    ...userGuardCodes,
    "user.oneself",
    "user.other-home",
    "user.erased",
    "user.last-admin",
    "emergency-administrator.last",
  ],
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

/** Rejects too many members before any is parsed, and the one name that Zod's records drop silently. */
function rejectUnusableSiteIds(sites: unknown, context: z.RefinementCtx): unknown {
  if (typeof sites !== "object" || sites === null) return sites;
  if (Object.hasOwn(sites, "__proto__"))
    context.addIssue({ code: "custom", path: ["__proto__"], message: "must be the id of a site" });
  if (Object.keys(sites).length <= maxSites) return sites;
  context.addIssue({ code: "custom", message: `must name at most ${maxSites} sites` });
  return z.NEVER;
}

/** The roles by site, each site with the same members as the whole tenant. */
const rolesBySite = <Roles extends z.ZodType>(roles: Roles) =>
  z.preprocess(
    rejectUnusableSiteIds,
    z.record(Slug, roles).default({}).meta({ maxProperties: maxSites }),
  );

/** Roles as a manager sets them: only those that exist. */
export const NewRoles = z.strictObject({
  roleIds: RoleIds,
  sites: rolesBySite(z.strictObject({ roleIds: RoleIds })),
});

const newRoleEnds = {
  expiresAt: z.record(boundedText(64), Instant.nullable()).optional().meta({
    description: "By role, when it ends: one left out keeps its end, null removes it",
    maxProperties: roleIds.length,
  }),
};

/** The same for a user who already has roles: each may have an expiry. */
const RolesWithEnds = z.strictObject({
  roleIds: RoleIds,
  ...newRoleEnds,
  sites: rolesBySite(z.strictObject({ roleIds: RoleIds, ...newRoleEnds })),
});

export const getUserRoles = endpoint({
  operation: "GET /v1/user/{id}/roles",
  summary: "Show the roles of a user in this tenant, with their ETag",
  ...byManager,
  conditional: "tag",
  answer: TenantRoles,
  codes: ["user.not-found"],
});

export const setUserRoles = endpoint({
  operation: "PUT /v1/user/{id}/roles",
  stepUp: "policy",
  summary:
    "Set the roles of a user in this tenant; If-Match is required, so that two managers do not overwrite each other",
  ...byManager,
  conditional: "tag",
  requires: ["precondition"],
  body: RolesWithEnds,
  answer: TenantRoles,
  codes: [
    ...userGuardCodes,
    "user.oneself",
    "user.erased",
    "role.not-grantable",
    "role.held-by-group",
    "user.last-admin",
    "emergency-administrator.last",
    "site.unknown",
  ],
});

export const NewServiceUser = z.strictObject({ login: NewLogin, name: Label, roles: NewRoles });

export const createServiceUser = endpoint({
  operation: "POST /v1/user/service-users",
  summary: "Make a user for a program, without a password",
  ...byManager,
  status: 201,
  body: NewServiceUser,
  answer: User,
  codes: ["user.login-taken", "role.not-grantable", "quota.exceeded", "site.unknown"],
});
