import { z } from "zod";
import { AuditActor, AuditChanges, AuditTarget } from "@/lib/protocol/documents/audit-entry";
import { endpoint, management } from "@/lib/protocol/endpoint";
import { InstantAnswer } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/paging";

/** A fact of the audit trail as CloudEvents 1.0 has it. */
export const CloudEvent = z.object({
  specversion: z.literal("1.0"),
  id: z.string(),
  source: z.string(),
  type: z.string().meta({ example: "gatehouse.user.locked" }),
  subject: z.string(),
  time: InstantAnswer,
  datacontenttype: z.literal("application/json"),
  data: z.object({
    actor: AuditActor,
    target: AuditTarget,
    changes: AuditChanges,
    requestId: z.string(),
    result: z.enum(["success", "failure"]),
  }),
});

export type CloudEvent = z.infer<typeof CloudEvent>;

export const EventsQuery = z.strictObject({
  after: z
    .string()
    .regex(/^evt_[0-9a-z]{26}$/, { message: "must be the id of an event" })
    .optional()
    .meta({ description: "The last event that was seen; without it the feed begins 30 days ago" }),
  limit: pageQuery.limit,
});

export const listEvents = endpoint({
  operation: "GET /v1/events",
  summary:
    "What happened in the tenant after an event, oldest first: a feed to be pulled, 30 days long",
  credentials: management,
  permission: "audit.read",
  isTenantWide: true,
  query: EventsQuery,
  produces: ["application/json", "application/cloudevents-batch+json"],
  answer: z.array(CloudEvent),
});
