import { z } from "zod";
import { roleIds } from "@/lib/access/roles";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { Instant, InstantAnswer, Slug } from "@/lib/protocol/formats";
import { maxAskReason } from "./values";

export const AccessRequest = z
  .object({
    id: z.string(),
    user: z.object({ id: z.string(), login: z.string(), name: z.string() }),
    role: z.string(),
    site: z.string().nullable().meta({ description: "null for the whole tenant" }),
    reason: z.string().meta({ description: "Empty where the person gave none" }),
    state: z.enum(["open", "granted", "declined"]),
    createdAt: InstantAnswer,
    decidedAt: InstantAnswer.nullable().meta({ description: "null while open" }),
  })
  .meta({ id: "AccessRequest" });

export type AccessRequest = z.infer<typeof AccessRequest>;

export const NewAccessRequest = z.strictObject({
  role: z.enum(roleIds),
  site: Slug.optional().meta({ description: "Where the role is wanted; absent: whole tenant" }),
  reason: z.string().trim().max(maxAskReason).default(""),
});

export const listAccessRequests = endpoint({
  operation: "GET /v1/user/access-requests",
  summary: "List roles that others asked for and oneself may grant, and one's own requests",
  ...inSession("accessRequest"),
  answer: z.array(AccessRequest),
});

export const askForAccess = endpoint({
  operation: "POST /v1/user/access-requests",
  summary: "Ask for a role",
  description: "A person has at most 10 open requests, a tenant 1,000.",
  ...inSession("accessRequest"),
  body: NewAccessRequest,
  answer: AccessRequest,
  status: 201,
  codes: ["site.unknown", "access-request.not-needed", "access-request.limit-reached"],
});

export const withdrawAccessRequest = endpoint({
  operation: "DELETE /v1/user/access-requests/{id}",
  summary: "Withdraw one's own open request for a role",
  ...inSession("accessRequest"),
  status: 204,
  codes: ["access-request.not-found", "access-request.decided"],
});

export const decideAccessRequest = endpoint({
  operation: "POST /v1/user/access-requests/{id}/decide",
  stepUp: "policy",
  summary: "Grant a role that somebody asked for, for good or until a time, or decline it",
  description: "Users who may set the role decide, and nobody for oneself.",
  ...inSession("accessRequest"),
  body: z.strictObject({
    decision: z.enum(["grant", "decline"]).meta({ description: "What becomes of it" }),
    expiresAt: Instant.optional().meta({ description: "When the role ends" }),
  }),
  answer: AccessRequest,
  codes: ["access-request.not-found", "access-request.decided"],
});
