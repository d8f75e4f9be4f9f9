import { z } from "zod";
import { deliveryStates, maxTypes } from "@/lib/features/destinations/values";
import { EventTypePattern } from "@/lib/features/events/contract";
import { DeliveryAttempt } from "@/lib/protocol/documents/delivery";
import { endpoint } from "@/lib/protocol/endpoint";
import { Instant, InstantAnswer, listOf } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";

export const WebhookDelivery = z.object({
  id: z.string().meta({ description: "The id of the event" }),
  type: z.string(),
  subject: z.string(),
  status: z.enum(deliveryStates).meta({
    description: "pending: it is tried again. failed: it was given up after three days",
  }),
  createdAt: InstantAnswer,
  nextAttemptAt: InstantAnswer.nullable().meta({
    description: "null while an earlier event of its subject is pending, and for what is not",
  }),
  attempts: z.array(DeliveryAttempt).meta({ description: "The newest 20, oldest first" }),
});

export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const manage = {
  credentials: ["session", "apiKey"],
  keyRule: { mustNamePermission: true },
  permission: "webhook.manage",
  isTenantWide: true,
} as const;

export const ListDeliveriesQuery = z.strictObject({
  status: z.enum(deliveryStates).optional(),
  type: EventTypePattern.optional(),
  ...pageQuery,
});

export const listWebhookDeliveries = endpoint({
  operation: "GET /v1/webhooks/{id}/deliveries",
  summary: "List the deliveries of a webhook of the last 30 days, newest first",
  ...manage,
  query: ListDeliveriesQuery,
  answer: z.array(WebhookDelivery),
  codes: ["webhook.not-found"],
});

export const getWebhookDelivery = endpoint({
  operation: "GET /v1/webhooks/{id}/deliveries/{deliveryId}",
  summary: "Show a delivery with the body as it is sent",
  ...manage,
  answer: WebhookDelivery.extend({
    body: z.string().meta({ description: "The body of the request, which the signature covers" }),
  }),
  conditional: "tag",
  codes: ["webhook.not-found", "webhook.delivery-not-found"],
});

export const redeliverEvent = endpoint({
  operation: "POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver",
  summary: "Send an event to a webhook again, under the same id",
  ...manage,
  status: 202,
  answer: WebhookDelivery,
  codes: ["webhook.not-found", "webhook.delivery-not-found"],
});

export const replayEvents = endpoint({
  operation: "POST /v1/webhooks/{id}/replay",
  summary: "Send the events of a range of time to a webhook again, under the same ids",
  ...manage,
  status: 202,
  body: z.strictObject({
    from: Instant,
    to: Instant.meta({ description: "Exclusive" }),
    types: listOf(EventTypePattern, maxTypes, 1)
      .optional()
      .meta({ description: "Types of events; without them those of the webhook" }),
  }),
  answer: z.object({
    events: z.int().meta({ description: "How many are sent" }),
    continueFrom: InstantAnswer.nullable().meta({
      description:
        "Where the next replay begins if the range has more than 1,000 events; else null",
    }),
  }),
  codes: ["webhook.not-found"],
});
