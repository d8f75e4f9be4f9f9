import { z } from "zod";
import { NewRoles } from "@/lib/features/users/administration-contract";
import { TenantRoles } from "@/lib/features/users/contract";
import { automation, endpoint, inSession } from "@/lib/protocol/endpoint";
import { label } from "@/lib/protocol/formats";
import { maxGroupRoles } from "./values";

const described = {
  group: "The name of the group, exactly as the provider writes it in a claim or by provisioning",
  roles: "What its members have, in addition to roles that were granted by hand",
  grantsAdministration:
    "Whether it may give tenant.admin and portal.users.mgmt. The provider decides then who has them",
};

/** The roles that the members of a group get. */
export const GroupRoles = z
  .object({
    group: z.string().meta({ description: described.group }),
    roles: TenantRoles,
    grantsAdministration: z.boolean().meta({ description: described.grantsAdministration }),
  })
  .meta({ id: "GroupRoles" });

const NewGroupRoles = z.strictObject({
  group: label(256).meta({ description: described.group }),
  roles: NewRoles.meta({ description: described.roles }),
  grantsAdministration: z
    .boolean()
    .default(false)
    .meta({ description: described.grantsAdministration }),
});

export const GroupRolesList = z.array(NewGroupRoles).max(maxGroupRoles).meta({
  id: "NewGroupRoles",
  description: "Which roles the members of groups have; each group once",
});

export const GroupRolesPreview = z.object({
  groups: z.array(
    z.object({
      group: z.string(),
      members: z
        .int()
        .meta({ description: "People known to be in it: by provisioning or their last sign-in" }),
    }),
  ),
  changes: z.int().meta({ description: "How many people gain or lose roles" }),
  people: z
    .array(
      z.object({
        id: z.string(),
        login: z.string(),
        name: z.string(),
        gains: TenantRoles,
        loses: TenantRoles,
      }),
    )
    .meta({ description: "The first 200 of them, who lose something first" }),
});

export type GroupRolesPreview = z.infer<typeof GroupRolesPreview>;

export const previewGroupRoles = endpoint({
  // The roles of administrators need grantsAdministration.
  example: {
    body: { groupRoles: [{ group: "Analysts", roles: { roleIds: ["portal.analytics.mgmt"] } }] },
  },
  operation: "POST /v1/tenant/connections/{id}/group-roles/preview",
  summary: "Show who would gain and lose roles by a list of groups. Changes nothing",
  ...inSession("connection"),
  permission: "tenant.manage",
  isTenantWide: true,
  replay: { isSafe: true },
  body: z.strictObject({ groupRoles: GroupRolesList }),
  answer: GroupRolesPreview,
  codes: ["connection.not-found", "site.unknown"],
});

export const UserGroupRoles = z.object({
  connection: z
    .object({ id: z.string(), name: z.string() })
    .meta({ description: "The connection to the identity provider" }),
  group: z.string(),
  roles: TenantRoles.meta({
    description: "What the group gives. It cannot be taken from the user",
  }),
});

export type UserGroupRoles = z.infer<typeof UserGroupRoles>;

export const listUserGroupRoles = endpoint({
  operation: "GET /v1/user/{id}/group-roles",
  summary: "List which groups of identity providers give the user roles",
  ...automation,
  permission: "user.manage",
  answer: z.array(UserGroupRoles),
  codes: ["user.not-found"],
});
