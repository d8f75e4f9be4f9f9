import { z } from "zod";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { Duration, InstantAnswer } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";

const manage = {
  ...inSession("connection"),
  permission: "tenant.manage",
  isTenantWide: true,
} as const;

export const ProvisioningToken = z.object({
  token: z.string().meta({
    description: "The bearer token to enter at the identity provider. It is shown only now",
  }),
  previousValidTo: InstantAnswer.optional().meta({
    description: "Until when the token before is valid; absent where there was none",
  }),
});

export type ProvisioningToken = z.infer<typeof ProvisioningToken>;

export const ProvisioningRequest = z.object({
  id: z.string(),
  occurredAt: InstantAnswer,
  method: z.string(),
  path: z.string().meta({ description: "Below the connection's address, without the query" }),
  status: z.int(),
  scimType: z.string().optional().meta({ description: "The kind of an error, as RFC 7644 has it" }),
  detail: z.string().optional().meta({ description: "What was wrong" }),
  durationMs: z.int(),
  requestId: z.string(),
});

export type ProvisioningRequest = z.infer<typeof ProvisioningRequest>;

export const createProvisioningToken = endpoint({
  operation: "POST /v1/tenant/connections/{id}/provisioning-token",
  summary: "Create or rotate the token with which an identity provider provisions people (SCIM)",
  description:
    "The token before stays valid for the overlap, and one before that ends at once. An overlap of PT0S ends it now.",
  ...manage,
  stepUp: "always",
  body: z.strictObject({
    overlap: Duration.optional().meta({ description: "P1D without it, at most P7D" }),
  }),
  isBodyOptional: true,
  answer: ProvisioningToken,
  replay: { secretId: null },
  codes: ["connection.not-found"],
});

export const listProvisioningRequests = endpoint({
  operation: "GET /v1/tenant/connections/{id}/provisioning-requests",
  summary: "List the last 1,000 provisioning requests of a connection, newest first",
  ...manage,
  query: z.strictObject(pageQuery),
  answer: z.array(ProvisioningRequest),
  codes: ["connection.not-found"],
});
