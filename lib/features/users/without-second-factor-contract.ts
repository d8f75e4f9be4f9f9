import { z } from "zod";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { InstantAnswer } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";

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
