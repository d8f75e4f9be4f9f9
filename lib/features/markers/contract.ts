import { z } from "zod";
import { automation, endpoint } from "@/lib/protocol/endpoint";
import { boundedText, Instant, InstantAnswer, Label } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/paging";

const Kind = boundedText(32)
  .regex(/^[a-z][a-z0-9-]*$/, { message: "must be lower-case letters, digits and hyphens" })
  .meta({ description: "What happened, such as deploy", example: "deploy" });

export const Marker = z.object({
  id: z.string(),
  at: InstantAnswer.meta({ description: "When it happened" }),
  title: z.string(),
  kind: z.string(),
  url: z.string().nullable().meta({ description: "Where more is told of it" }),
  source: z.enum(["reported", "trail"]).meta({
    description: "trail: read from the audit trail, kind api-key or preview",
  }),
});

export type Marker = z.infer<typeof Marker>;

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

export const NewMarker = z.strictObject({
  at: Instant.meta({ description: "When it happened: 400 days ago at most, 7 days ahead at most" }),
  title: Label,
  kind: Kind,
  url: boundedText(2048)
    .refine(isWebAddress, { message: "must be an http or https URL without user and password" })
    .optional()
    .meta({ format: "uri", description: "Where more is told of it" }),
});

export const MarkersQuery = z.strictObject({
  from: Instant.optional(),
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
