import { z } from "zod";
import { disabledReasons, maxTypes } from "@/lib/features/destinations/values";
import { EventTypePattern } from "@/lib/features/events/contract";
import { DeliveryAttempt } from "@/lib/protocol/documents/delivery";
import { endpoint } from "@/lib/protocol/endpoint";
import {
  boundedText,
  Duration,
  InstantAnswer,
  lines,
  listOf,
  Slug,
  untagged,
} from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  types: z
    .array(z.string())
    .meta({ description: "Types of events, such as user.locked, user.* or *" }),
  site: z.string().nullable().meta({ description: "Only events about this site; null for all" }),
  description: z.string().meta({ description: "A text for people" }),
  status: z.enum(["enabled", "disabled"]),
  disabledReason: z.enum(disabledReasons).nullable().meta({
    description: "failing: no delivery succeeded for three days. gone: the URL answered 410",
  }),
  failingSince: InstantAnswer.nullable().meta({
    ...untagged,
    description:
      "When the first attempt failed since the last success; null if the last one succeeded",
  }),
  createdAt: InstantAnswer,
  previousSecretValidTo: InstantAnswer.nullable().meta({
    description: "Until when deliveries are also signed with the secret before the last rotation",
  }),
});

export type Webhook = z.infer<typeof Webhook>;

const settings = {
  url: boundedText(2048).meta({
    format: "uri",
    description: "https, and no private, local or reserved address. Redirects are not followed",
  }),
  types: listOf(EventTypePattern, maxTypes, 1).meta({
    description: "Types of events, such as user.locked, user.* or *",
  }),
  site: Slug.nullable(),
  description: lines(256).meta({ description: "A text for people" }),
};

export const NewWebhook = z.strictObject({
  url: settings.url,
  types: settings.types,
  site: settings.site.default(null),
  description: settings.description.default(""),
});

export const WebhookChange = z.strictObject({
  url: settings.url.optional(),
  types: settings.types.optional(),
  site: settings.site.optional(),
  description: settings.description.optional(),
});

const manage = {
  credentials: ["session", "apiKey"],
  keyRule: { mustNamePermission: true },
  permission: "webhook.manage",
  isTenantWide: true,
} as const;

const Secret = z.string().meta({
  description: "What deliveries are signed with (Standard Webhooks), shown only here",
  example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
});

export const listWebhooks = endpoint({
  operation: "GET /v1/webhooks",
  summary: "List the tenant's webhooks, newest first",
  ...manage,
  query: z.strictObject(pageQuery),
  answer: z.array(Webhook),
});

export const createWebhook = endpoint({
  example: { body: { url: "https://hooks.shop.example/gatehouse" } },
  operation: "POST /v1/webhooks",
  stepUp: "policy",
  summary: "Create a webhook: events of the given types are sent to it from now on",
  ...manage,
  status: 201,
  body: NewWebhook,
  answer: Webhook.extend({ secret: Secret }),
  replay: { secretId: "id" },
  codes: ["quota.exceeded"],
});

export const getWebhook = endpoint({
  operation: "GET /v1/webhooks/{id}",
  summary: "Show a webhook",
  ...manage,
  answer: Webhook,
  conditional: "tag",
  codes: ["webhook.not-found"],
});

export const updateWebhook = endpoint({
  example: { body: { url: "https://hooks.shop.example/gatehouse" } },
  operation: "PATCH /v1/webhooks/{id}",
  summary: "Change a webhook; lists replace whole",
  ...manage,
  body: WebhookChange,
  answer: Webhook,
  conditional: "tag",
  codes: ["webhook.not-found"],
});

export const deleteWebhook = endpoint({
  operation: "DELETE /v1/webhooks/{id}",
  summary: "Delete a webhook with its deliveries",
  ...manage,
  status: 204,
  conditional: "tag",
  codes: ["webhook.not-found"],
});

export const rotateWebhookSecret = endpoint({
  operation: "POST /v1/webhooks/{id}/rotate",
  stepUp: "policy",
  summary: "Give a webhook a new secret; deliveries are signed with both for the overlap",
  ...manage,
  body: z.strictObject({
    overlap: Duration.optional().meta({ description: "P1D without it, at most P7D" }),
    force: z.boolean().default(false).meta({
      description:
        "Rotates although the secret before the last rotation is still valid, which ends it at once",
    }),
  }),
  isBodyOptional: true,
  answer: z.object({ secret: Secret, previousValidTo: InstantAnswer }),
  replay: { secretId: null },
  codes: ["webhook.not-found", "webhook.rotation-in-progress"],
});

export const enableWebhook = endpoint({
  operation: "POST /v1/webhooks/{id}/enable",
  summary:
    "Enable a webhook: it goes on with the first event of the last 30 days that it has not got",
  ...manage,
  answer: Webhook,
  codes: ["webhook.not-found"],
});

export const disableWebhook = endpoint({
  operation: "POST /v1/webhooks/{id}/disable",
  summary: "Disable a webhook: nothing is sent to it until it is enabled",
  ...manage,
  answer: Webhook,
  codes: ["webhook.not-found"],
});

export const testWebhook = endpoint({
  operation: "POST /v1/webhooks/{id}/test",
  summary: "Send an event of the type webhook.tested once, and wait for the response",
  ...manage,
  // Creates nothing, and keeps no transaction open while it waits for the response.
  replay: { isSafe: true },
  answer: z.object({
    eventId: z.string().meta({ description: "The id of the event that was sent" }),
    delivered: z.boolean().meta({ description: "Whether the response was 2xx" }),
    attempt: DeliveryAttempt.meta({ description: "What came of it" }),
  }),
  codes: ["webhook.not-found"],
});
