import { z } from "zod";
import { AuditActor, AuditChanges, AuditTarget } from "@/lib/protocol/documents/audit-entry";
import { endpoint, management } from "@/lib/protocol/endpoint";
import { boundedText, InstantAnswer, Slug } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";
import { isKnownPattern, patternText } from "./filter";

/** A fact of the tenant as CloudEvents 1.0 has it. */
export const CloudEvent = z.object({
  specversion: z.literal("1.0"),
  id: z.string(),
  source: z.string(),
  type: z.string().meta({ example: "gatehouse.user.locked" }),
  subject: z.string(),
  time: InstantAnswer,
  datacontenttype: z.literal("application/json"),
  site: z
    .string()
    .optional()
    .meta({ description: "The site that it is about, if it is about one" }),
  data: z.object({
    actor: AuditActor,
    target: AuditTarget,
    changes: AuditChanges.meta({
      description: "What changed, by field. Values are shown only with audit.read",
    }),
    requestId: z.string(),
    result: z.enum(["success", "failure"]),
  }),
});

export type CloudEvent = z.infer<typeof CloudEvent>;

/** What to subscribe to: one type, all with a prefix, or all. */
export const EventTypePattern = boundedText(64)
  .refine((text) => patternText.test(text) && isKnownPattern(text), {
    message: "must be a type of /docs/events, such as user.locked, user.* or *",
  })
  .meta({ example: "user.*" });

export const EventsQuery = z.strictObject({
  after: z
    .string()
    .regex(/^evt_[0-9a-z]{26}$/, { message: "must be the id of an event" })
    .optional()
    .meta({
      description:
        "The last event that was seen, or what Link held; without it the feed begins 30 days ago",
    }),
  type: EventTypePattern.optional(),
  site: Slug.optional().meta({ description: "Only events about this site" }),
  limit: pageQuery.limit,
});

export const listEvents = endpoint({
  operation: "GET /v1/events",
  summary:
    "What happened in the tenant after an event, oldest first: a feed to be pulled, 30 days long",
  description:
    "What happened in the tenant after an event, oldest first: a feed to be pulled, 30 days long. With `type` or `site` a page is full as well, or ends where the feed does: an empty page means its end.",
  credentials: management,
  permission: "event.read",
  isTenantWide: true,
  query: EventsQuery,
  produces: ["application/json", "application/cloudevents-batch+json"],
  answer: z.array(CloudEvent),
});
