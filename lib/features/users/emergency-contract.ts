import { z } from "zod";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { InstantAnswer } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";

export const EmergencyAdministrator = z.object({
  id: z.string(),
  login: z.string(),
  name: z.string(),
  isReady: z.boolean().meta({
    description: "Whether a password and a second factor sign the person in as tenant.admin now",
  }),
  hasSecondFactor: z.boolean().meta({ description: "Whether a second factor is set up" }),
  createdAt: InstantAnswer,
  lastUsedAt: InstantAnswer.optional().meta({
    description: "The last sign-in that the policy allows to emergency administrators only",
  }),
});

export type EmergencyAdministrator = z.infer<typeof EmergencyAdministrator>;

const manage = {
  ...inSession("emergencyAdministrators"),
  permission: "tenant.manage",
  isTenantWide: true,
} as const;

export const listEmergencyAdministrators = endpoint({
  operation: "GET /v1/tenant/emergency-administrators",
  summary:
    "List the administrators who may always sign in with password and second factor, the first named first",
  ...manage,
  answer: z.array(EmergencyAdministrator),
});

export const addEmergencyAdministrator = endpoint({
  operation: "PUT /v1/tenant/emergency-administrators/{id}",
  summary: "Name a tenant.admin as emergency administrator; at most three are",
  description:
    "The person's home is this tenant. Groups and provisioning of an identity provider never change an emergency administrator.",
  ...manage,
  stepUp: "always",
  status: 204,
  codes: [
    "user.not-found",
    "emergency-administrator.limit-reached",
    "emergency-administrator.unsuitable",
  ],
});

export const removeEmergencyAdministrator = endpoint({
  operation: "DELETE /v1/tenant/emergency-administrators/{id}",
  summary: "Remove a person from the emergency administrators; the person stays as it is",
  ...manage,
  stepUp: "always",
  status: 204,
  codes: ["emergency-administrator.not-found", "emergency-administrator.last"],
});

export const WithoutSecondFactor = z.object({
  id: z.string(),
  login: z.string(),
  name: z.string(),
  isAdministrator: z
    .boolean()
    .meta({ description: "Whether the user is tenant.admin, of the tenant or of a site" }),
  lastLoginAt: InstantAnswer.optional(),
});

export type WithoutSecondFactor = z.infer<typeof WithoutSecondFactor>;

export const listWithoutSecondFactor = endpoint({
  operation: "GET /v1/user/without-second-factor",
  summary: "List the active people of the tenant who have no second factor, by login",
  description: "Of people who belong to another home tenant that tenant knows.",
  ...inSession("secondFactors"),
  permission: "tenant.manage",
  isTenantWide: true,
  query: z.strictObject(pageQuery),
  answer: z.array(WithoutSecondFactor),
});
