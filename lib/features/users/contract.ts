import { z } from "zod";
import { roleIds } from "@/lib/access/roles";
import { Preferences } from "@/lib/protocol/documents/preferences";
import { endpoint, inSession, management } from "@/lib/protocol/endpoint";
import { InstantAnswer, SearchText, searchText, untagged } from "@/lib/protocol/formats";
import { optionalPageQuery } from "@/lib/protocol/parameters";
import { permissions } from "@/lib/protocol/permissions";
import { userSorts, userStates } from "./values";

const rolesOfPlace = {
  roleIds: z.array(z.string()),
  expiresAt: z.object({}).catchall(InstantAnswer).optional().meta({
    description: "By role, when it ends. Only where one user is shown",
  }),
};

/** Maps are written with catchall: Zod's records take twice the time, and every user of every list has two. */
export const TenantRoles = z
  .object({ ...rolesOfPlace, sites: z.object({}).catchall(z.object(rolesOfPlace)) })
  .meta({ id: "TenantRoles" });

export type TenantRoles = z.infer<typeof TenantRoles>;

/** The nine members of the founding document, in its order; the next two when requested by `fields`, and all for a single user. */
export const User = z
  .object({
    id: z.string(),
    login: z.string(),
    name: z.string(),
    userRoles: z.object({}).catchall(TenantRoles),
    tenant: z.string(),
    emailAddress: z.string(),
    registrationDate: InstantAnswer,
    lock: z.boolean(),
    system: z.boolean(),
    lastLoginAt: InstantAnswer.nullable().optional().meta(untagged),
    state: z.enum(userStates).optional(),
    kind: z.enum(["person", "service"]).optional(),
    lockReason: z.string().nullable().optional(),
    lockedUntil: InstantAnswer.nullable().optional(),
    erasedAt: InstantAnswer.optional(),
    emailConfirmed: z.boolean().optional().meta({
      description:
        "Whether a link mailed to the address was followed. Absent where no mail is sent, and of a person of another tenant.",
    }),
  })
  .meta({ id: "User" });

export type User = z.infer<typeof User>;

export const extraUserFields = ["lastLoginAt", "state"] as const;

/** "+a,b": a plus sign in a query is a space. */
const ExtraFields = z
  .string()
  .transform((text) => text.trim().replace(/^\+/, "").split(","))
  .pipe(z.array(z.enum(extraUserFields)))
  .meta({
    type: "string",
    description: "Members to add, such as +lastLoginAt,state",
    example: "+lastLoginAt,state",
  });

export const ListUsersQuery = z.strictObject({
  q: SearchText.optional().meta({ description: "Part of the login, name or e-mail address" }),
  role: z.enum(roleIds).optional(),
  site: searchText(63).optional().meta({ description: "Only users with a role at this site" }),
  lock: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional(),
  state: z
    .enum(userStates)
    .optional()
    .meta({ description: "Only users of this state; a lock is none" }),
  sort: z.enum(userSorts).default("login"),
  fields: ExtraFields.optional(),
  ...optionalPageQuery,
});

export const listUsers = endpoint({
  operation: "GET /v1/user/list",
  summary: "List the users of a tenant",
  credentials: management,
  permission: "user.read",
  query: ListUsersQuery,
  answer: z.array(User),
});

export const getOwnProfile = endpoint({
  operation: "GET /v1/user/profile",
  summary: "Show one's own user",
  credentials: management,
  permission: "any-role",
  keyRule: { restrictedNeeds: "user.read" },
  answer: User,
  conditional: "tag",
});

export const getUser = endpoint({
  operation: "GET /v1/user/{id}",
  summary: "Show a user of the tenant",
  credentials: management,
  permission: "user.read",
  answer: User,
  codes: ["user.not-found"],
  conditional: "tag",
});

export const Role = z.object({
  id: z.enum(roleIds),
  name: z.string(),
  group: z.string(),
  meaning: z.string().meta({ description: "What the role is for, in a line" }),
  permissions: z.array(z.enum(permissions)),
  reserved: z.boolean(),
});

export const listRoles = endpoint({
  operation: "GET /v1/user/roles",
  summary: "List the roles, with what each permits",
  credentials: management,
  permission: "any-role",
  answer: z.array(Role),
});

export const getPreferences = endpoint({
  operation: "GET /v1/user/preferences",
  summary: "Show one's own preferences in this tenant",
  ...inSession("ownAccount"),
  permission: "any-role",
  answer: Preferences,
  conditional: "tag",
});

export const setPreferences = endpoint({
  operation: "PUT /v1/user/preferences",
  summary: "Set one's own preferences in this tenant; what is left out is as the browser has it",
  ...inSession("ownAccount"),
  permission: "any-role",
  body: Preferences,
  answer: Preferences,
  conditional: "tag",
});

export const requestEmailConfirmation = endpoint({
  operation: "POST /v1/user/email-confirmations",
  summary: "Request a link to confirm one's e-mail address by mail",
  description:
    "Notices and alerts are mailed only to a confirmed address. The link works once, for 3 days, until the address changes. Requests within 15 minutes give one mail, and a user gets at most 5 a day.",
  ...inSession("ownAccount"),
  permission: "any-role",
  requires: ["mail"],
  status: 202,
  answer: z.object({}),
  codes: ["user.other-home"],
});

export const confirmEmailAddress = endpoint({
  operation: "POST /v1/user/email-confirmations/confirm",
  summary: "Confirm an e-mail address with the token of the link that was mailed to it",
  credentials: [],
  limits: { body: 8 * 1024, address: "login" },
  body: z.strictObject({ token: z.string().min(1).max(512) }),
  status: 204,
  codes: ["auth.link-invalid", "auth.link-expired"],
});
