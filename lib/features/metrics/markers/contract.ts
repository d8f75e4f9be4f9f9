import { z } from "zod";
import { maxMarkerTitle } from "@/lib/features/metrics/values";
import { automation, endpoint } from "@/lib/protocol/endpoint";
import { boundedText, Instant, InstantAnswer, label } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";

const Kind = boundedText(32)
  .regex(/^[a-z][a-z0-9-]*$/, { message: "must be lower-case letters, digits and hyphens" })
  .meta({ description: "What happened, such as deploy", example: "deploy" });

const over = "When it was over; null for what happened at once";

export const Marker = z.object({
  id: z.string(),
  at: InstantAnswer.meta({ description: "When it happened" }),
  until: InstantAnswer.nullable().meta({ description: over }),
  title: z.string(),
  kind: z.string(),
  url: z.string().nullable().meta({ description: "Where more is told of it" }),
  source: z.enum(["reported", "trail"]).meta({
    description: "trail: read from the audit trail, kind api-key or preview",
  }),
  author: z
    .object({
      id: z.string().meta({ description: "The id of a user" }),
      login: z.string().nullable().meta({ description: "null once the person is erased" }),
    })
    .nullable()
    .meta({ description: "Who reported it; null for what is read from the trail" }),
});

export type Marker = z.infer<typeof Marker>;

/** A marker as it appears in the data export of its reporter. */
export const OwnMarker = Marker.omit({ source: true, author: true });
export type OwnMarker = z.infer<typeof OwnMarker>;

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

export const NewMarker = z.strictObject({
  at: Instant.meta({ description: "When it happened: 400 days ago at most, 7 days ahead at most" }),
  until: Instant.optional().meta({ description: "When it was over: at most 31 days later" }),
  title: label(maxMarkerTitle),
  kind: Kind,
  url: boundedText(2048)
    .refine(isWebAddress, { message: "must be an http or https URL without user and password" })
    .optional()
    .meta({ format: "uri", description: "Where more is told of it" }),
});

export const MarkersQuery = z.strictObject({
  from: Instant.optional().meta({ description: "Also what began before and was over later" }),
  to: Instant.optional().meta({ description: "Exclusive" }),
  kind: Kind.optional(),
  ...pageQuery,
});

export const listMarkers = endpoint({
  operation: "GET /v1/api-metrics/markers",
  summary: "List what marks the charts of metrics, newest first",
  description:
    "What was reported, and from the audit trail API keys and preview configurations that changed. Who may read the metrics of one site alone gets what was reported.",
  ...automation,
  permission: "api-metric.read",
  query: MarkersQuery,
  answer: z.array(Marker),
});

export const createMarker = endpoint({
  operation: "POST /v1/api-metrics/markers",
  summary: "Mark the charts of metrics with what happened, such as a deploy",
  description: "A tenant keeps its newest 5,000 markers, for 400 days.",
  ...automation,
  permission: "api-metric.write",
  isTenantWide: true,
  status: 201,
  body: NewMarker,
  answer: Marker,
});

export const deleteMarker = endpoint({
  operation: "DELETE /v1/api-metrics/markers/{id}",
  summary: "Remove a marker that was reported",
  description:
    "People remove what they reported themselves. Anything else needs api-metric.write in the whole tenant. What is read from the trail stays.",
  ...automation,
  permission: "api-metric.read",
  status: 204,
  codes: ["marker.not-found", "marker.of-other"],
});
