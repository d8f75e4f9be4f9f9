import { z } from "zod";
import { disabledReasons, streamKinds } from "@/lib/features/destinations/values";
import { DeliveryAttempt, StreamAttempt, StreamGap } from "@/lib/protocol/documents/delivery";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import {
  boundedText,
  Duration,
  InstantAnswer,
  lines,
  Slug,
  untagged,
} from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";
import { textOf } from "@/lib/protocol/text";

const said = <T extends z.ZodType>(schema: T, description: string) =>
  schema.optional().meta({ description });

const where = {
  url: said(z.string(), "https and s3, there without a path"),
  host: said(z.string(), "syslog"),
  port: said(z.int(), "syslog"),
  region: said(z.string(), "s3"),
  bucket: said(z.string(), "s3"),
  prefix: said(z.string(), "s3: what the names of objects begin with"),
  accessKeyId: said(z.string(), "s3"),
  every: said(z.string(), "s3: for how long entries are gathered"),
  folder: said(z.string(), "file"),
  ca: said(z.string(), "PEM of authorities of your own"),
};

const StreamState = z.object({
  position: z
    .int()
    .meta({ description: "The number of the last entry that was delivered: chain.seq" }),
  deliveredAt: InstantAnswer.nullable().meta({ description: "When that was" }),
  behind: z.int().meta({ description: "How many entries are not delivered yet" }),
  behindSince: InstantAnswer.nullable().meta({ description: "When the oldest of them was made" }),
  failingSince: InstantAnswer.nullable().meta({
    description: "When the first attempt failed since the last success",
  }),
  nextAttemptAt: InstantAnswer.nullable().meta({ description: "null: at once" }),
  missed: StreamGap.nullable().meta({
    description: "The newest entries that were deleted by age before they were delivered",
  }),
  attempts: z.array(StreamAttempt).meta({ description: "The newest 20, oldest first" }),
});

const Secret = z.string().meta({
  description: "https: what batches are signed with, shown when it is made and never again",
  example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
});

export const AuditStream = z.object({
  id: z.string(),
  kind: z.enum(streamKinds),
  ...where,
  description: z.string().meta({ description: "A text for people" }),
  status: z.enum(["enabled", "disabled"]),
  disabledReason: z.enum(disabledReasons).nullable().meta({
    description: "failing: no delivery succeeded for three days. gone: the URL answered 410",
  }),
  createdAt: InstantAnswer,
  secret: Secret.optional(),
  state: StreamState.meta({ ...untagged, description: "How far the delivery has come" }),
});

export type AuditStream = z.infer<typeof AuditStream>;

const matching = (max: number, pattern: RegExp, message: string) =>
  boundedText(max, message)
    .refine((text) => pattern.test(text), { message })
    .meta({ maxLength: max });

const folderPattern = /^(?!\/)(?!(?:.*\/)?\.{1,2}(?:\/|$))[A-Za-z0-9!_.'()/-]*$/;

const settings = {
  url: boundedText(2048).meta({
    format: "uri",
    description: "https and s3, there without a path",
  }),
  host: boundedText(253).meta({ description: "syslog" }),
  port: z.int().min(1).max(65_535).meta({ description: "syslog: 6514 without it" }),
  region: matching(64, /^[a-z0-9-]+$/, "must be a region such as eu-central-1").meta({
    description: "s3",
  }),
  bucket: matching(63, /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket").meta({
    description: "s3",
  }),
  prefix: matching(
    256,
    folderPattern,
    "must be letters, digits and !_.'()/- without empty steps",
  ).meta({ description: "s3: what the names of objects begin with" }),
  accessKeyId: matching(128, /^[A-Za-z0-9_+.@-]+$/, "must be the id of an access key").meta({
    description: "s3",
  }),
  secretAccessKey: matching(256, /^[\x21-\x7e]+$/, "must be printable ASCII").meta({
    description: "s3: stored encrypted, never shown",
  }),
  every: Duration.meta({
    description: "s3: for how long entries are gathered; PT1M without it, at most PT15M",
  }),
  folder: Slug.meta({
    description: "file",
  }),
  authorization: matching(1024, /^[\x20-\x7e]+$/, "must be printable ASCII").meta({
    description: "https: stored encrypted, never shown",
  }),
  ca: boundedText(16_384).meta({
    description: "PEM of authorities of your own",
    ...textOf("lines"),
  }),
  description: lines(256).meta({ description: "A text for people" }),
};

const partial = {
  ...{ url: settings.url.optional(), host: settings.host.optional() },
  ...{ port: settings.port.optional(), region: settings.region.optional() },
  ...{ bucket: settings.bucket.optional(), prefix: settings.prefix.optional() },
  ...{ accessKeyId: settings.accessKeyId.optional(), every: settings.every.optional() },
  ...{ secretAccessKey: settings.secretAccessKey.optional(), folder: settings.folder.optional() },
};

export const NewAuditStream = z.strictObject({
  kind: z.enum(streamKinds).meta({
    description:
      "https needs url; syslog host; s3 url, region, bucket, accessKeyId and secretAccessKey; file folder",
  }),
  ...partial,
  authorization: settings.authorization.optional(),
  ca: settings.ca.optional(),
  description: settings.description.default(""),
  from: z.enum(["now", "beginning"]).default("now").meta({
    description: "now: the entry of the creation is the first. beginning: the oldest kept entry",
  }),
});

export const AuditStreamChange = z.strictObject({
  ...partial,
  authorization: said(settings.authorization.nullable(), "https: null removes it"),
  ca: said(settings.ca.nullable(), "null removes it"),
  description: settings.description.optional(),
});

const manage = {
  ...inSession("auditStream"),
  permission: "audit.manage",
  isTenantWide: true,
} as const;

const change = { ...manage, stepUp: "policy" } as const;

export const listAuditStreams = endpoint({
  operation: "GET /v1/audit/streams",
  summary: "List the tenant's audit streams with their state, newest first",
  ...manage,
  query: z.strictObject(pageQuery),
  answer: z.array(AuditStream),
});

export const createAuditStream = endpoint({
  example: { body: { kind: "https", url: "https://hooks.shop.example/gatehouse" } },
  operation: "POST /v1/audit/streams",
  summary: "Create an audit stream: every audit entry is sent to it, in the order of the chain",
  description:
    "Create an audit stream: every audit entry is sent to it, in the order of the chain, at least once.",
  ...change,
  status: 201,
  body: NewAuditStream,
  answer: AuditStream,
  replay: { secretId: "id" },
  codes: ["quota.exceeded"],
});

export const getAuditStream = endpoint({
  operation: "GET /v1/audit/streams/{id}",
  summary: "Show an audit stream with its state and newest attempts",
  ...manage,
  answer: AuditStream,
  conditional: "tag",
  codes: ["audit-stream.not-found"],
});

export const updateAuditStream = endpoint({
  example: { body: { url: "https://hooks.shop.example/gatehouse" } },
  operation: "PATCH /v1/audit/streams/{id}",
  summary: "Change an audit stream; it keeps its kind and position",
  ...change,
  body: AuditStreamChange,
  answer: AuditStream,
  conditional: "tag",
  codes: ["audit-stream.not-found"],
});

export const deleteAuditStream = endpoint({
  operation: "DELETE /v1/audit/streams/{id}",
  summary: "Delete an audit stream",
  ...change,
  status: 204,
  conditional: "tag",
  codes: ["audit-stream.not-found"],
});

export const rotateAuditStreamSecret = endpoint({
  operation: "POST /v1/audit/streams/{id}/rotate",
  summary: "Give a stream over https a new secret; batches are signed with both for the overlap",
  ...change,
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
  codes: ["audit-stream.not-found", "audit-stream.not-signed", "audit-stream.rotation-in-progress"],
});

export const enableAuditStream = endpoint({
  operation: "POST /v1/audit/streams/{id}/enable",
  summary: "Enable an audit stream: it goes on after the last entry that was delivered",
  ...change,
  answer: AuditStream,
  codes: ["audit-stream.not-found"],
});

export const disableAuditStream = endpoint({
  operation: "POST /v1/audit/streams/{id}/disable",
  summary: "Disable an audit stream: nothing is sent until it is enabled",
  ...change,
  answer: AuditStream,
  codes: ["audit-stream.not-found"],
});

export const testAuditStream = endpoint({
  operation: "POST /v1/audit/streams/{id}/test",
  summary: "Send an entry audit-stream.tested once, and wait for what comes of it",
  ...manage,
  // Creates nothing, and keeps no transaction open while it waits for the response.
  replay: { isSafe: true },
  answer: z.object({
    delivered: z.boolean().meta({ description: "Whether it was confirmed" }),
    attempt: DeliveryAttempt.meta({ description: "What came of it" }),
  }),
  codes: ["audit-stream.not-found"],
});
