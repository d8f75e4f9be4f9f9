import { z } from "zod";
import { AuditActor, AuditChanges, AuditTarget } from "@/lib/protocol/documents/audit-entry";
import { endpoint, management } from "@/lib/protocol/endpoint";
import { boundedText, InstantAnswer, Slug } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";
import { type EventType, typePrefix, typesWithValues } from "./catalogue";
import { isKnownPattern, patternText } from "./event";

/** An event of the tenant in CloudEvents 1.0 format; not every one is a change. */
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

const ids = {
  user: "user_01kzz2m8n4e3rs4xv1r0b5q7yd",
  session: "sess_01kzz2m8n4e3rs4xv1r0b5q7ye",
  "api-key": "key_01kzz2m8n4e3rs4xv1r0b5q7yf",
  tenant: "acme",
  site: "eu",
  preview: "prev_01kzz2m8n4e3rs4xv1r0b5q7yg",
  release: "rel_01kzz2m8n4e3rs4xv1r0b5q7yn",
  customer: "cust_01kzz2m8n4e3rs4xv1r0b5q7yh",
  "customer-import": "imp_01kzz2m8n4e3rs4xv1r0b5q7ym",
  webhook: "wh_01kzz2m8n4e3rs4xv1r0b5q7yj",
  "audit-stream": "ast_01kzz2m8n4e3rs4xv1r0b5q7ym",
  connection: "conn_01kzz2m8n4e3rs4xv1r0b5q7ym",
  alert: "alr_01kzz2m8n4e3rs4xv1r0b5q7yn",
  view: "view_01kzz2m8n4e3rs4xv1r0b5q7yp",
  marker: "mark_01kzz2m8n4e3rs4xv1r0b5q7ym",
} as const satisfies Record<EventType["target"], string>;

/** The values of an example alert. */
const values: Readonly<Record<string, unknown>> = {
  ...{ measure: "error-rate", threshold: 0.05, value: 0.12, shortValue: 0.2, calls: 4200 },
  ...{ site: ids.site, reason: "recovered" },
};

/** Actions of the customers themselves; users perform all others. */
const byCustomers = ["registered", "updated", "signed-in", "password-changed", "deleted"];

/** An event of the type as it is delivered. */
export function exampleOf({ type, target, changes }: EventType): CloudEvent {
  const hasValues = typesWithValues.includes(type);
  const isOfSite = hasValues || ["site", "preview", "release", "customer"].includes(target);
  const isByCustomer = target === "customer" && byCustomers.includes(type.split(".")[1] ?? "");
  const by = isByCustomer ? ("customer" as const) : ("user" as const);
  const actor = hasValues ? { type: "system" as const, id: "alerts" } : { type: by, id: ids[by] };
  return {
    specversion: "1.0",
    id: "evt_01kzz2m8n4e3rs4xv1r0b5q7yc",
    source: "/tenants/acme",
    type: `${typePrefix}${type}`,
    subject: `${target}/${ids[target]}`,
    time: "2026-12-31T23:59:59.000Z",
    datacontenttype: "application/json",
    ...(isOfSite ? { site: ids.site } : {}),
    data: {
      actor,
      target: { type: target, id: ids[target] },
      changes: Object.fromEntries(
        changes.map((field) => [field, hasValues ? { after: values[field] } : {}]),
      ),
      requestId: "req_01kzz2m8n4e3rs4xv1r0b5q7yk",
      result: "success",
    },
  };
}
