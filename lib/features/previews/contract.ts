import { z } from "zod";
import { previewStages, previewVias } from "@/lib/protocol/documents/preview";
import { endpoint, management } from "@/lib/protocol/endpoint";
import { boundedText, InstantAnswer } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";
import { textOf } from "@/lib/protocol/text";
import { isPreviewKey, keyPattern } from "./values";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Any JSON object: the received bytes are stored, so nothing here copies, adds or drops a member. */
export const PreviewConfiguration = z
  .custom<Record<string, unknown>>(isObject, { message: "must be a JSON object" })
  .meta({
    id: "PreviewConfiguration",
    type: "object",
    ...textOf("bytes"),
    description:
      "Any JSON object. Of its members, title, enabled, stage, urlTemplate, locales, effectiveAt and viewports are known here.",
    example: {
      title: "Home",
      enabled: true,
      stage: "draft",
      urlTemplate: "https://shop.example/{locale}/{entityType}/{slug}",
    },
  });

const PreviewProblem = z.object({ pointer: z.string(), detail: z.string() });

const Author = z.object({ id: z.string(), login: z.string() });

/** The metadata of a configuration; title, enabled and stage only if the configuration has them with the right type. */
export const Preview = z.object({
  key: z.string(),
  title: z.string().optional(),
  enabled: z.boolean().optional(),
  stage: z.enum(previewStages).optional(),
  version: z.int(),
  etag: z.string().meta({ description: "The ETag of the configuration, with its quotes" }),
  updatedAt: InstantAnswer,
  updatedBy: Author,
  problems: z.array(PreviewProblem),
  archivedAt: InstantAnswer.nullable(),
  deletedAt: InstantAnswer.optional().meta({ description: "Only in the list of deleted ones" }),
});
export type Preview = z.infer<typeof Preview>;

export const PreviewRevision = z.object({
  n: z.int(),
  at: InstantAnswer,
  by: Author,
  via: z.enum(previewVias),
  hash: z
    .string()
    .meta({ description: "SHA-256 of the bytes in base64url: the ETag without its quotes" }),
});
export type PreviewRevision = z.infer<typeof PreviewRevision>;

const keyRule =
  "must be 1 to 128 letters, digits, dots, hyphens and underscores, and begin with a letter or digit";
const PreviewKey = boundedText(128, keyRule)
  .refine(isPreviewKey, { message: keyRule })
  .meta({ pattern: keyPattern.source, minLength: 1, maxLength: 128 });

export const NewPreview = z.strictObject({ key: PreviewKey, configuration: PreviewConfiguration });

export const ListPreviewsQuery = z.strictObject({
  deleted: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .default(false)
    .meta({
      type: "boolean",
      default: false,
      description: "Those that were deleted in the last 30 days and can be restored",
    }),
  ...pageQuery,
});

export const ListPreviewRevisionsQuery = z.strictObject(pageQuery);

const shared = {
  credentials: management,
  scope: "site",
  deprecatedCredential: "bearer",
} as const;
const reading = { ...shared, permission: "preview.configuration.read" } as const;
const writing = { ...shared, permission: "preview.configuration.write" } as const;

export const updatePreviewConfiguration = endpoint({
  operation: "PUT /pim/preview/{key}/configuration",
  summary: "Update an existing preview configuration: the bytes are kept and answered as they are",
  ...writing,
  body: PreviewConfiguration,
  answer: PreviewConfiguration,
  conditional: "tag-and-time",
  codes: ["preview.not-found", "preview.archived", "quota.exceeded"],
});

export const getPreviewConfiguration = endpoint({
  operation: "GET /pim/preview/{key}/configuration",
  summary: "Read a preview configuration, byte for byte",
  ...reading,
  credentials: [...management, "share"],
  answer: PreviewConfiguration,
  conditional: "tag-and-time",
  codes: ["preview.not-found"],
});

export const listPreviews = endpoint({
  operation: "GET /pim/preview",
  summary: "List the preview configurations of a site, newest first",
  ...reading,
  query: ListPreviewsQuery,
  answer: z.array(Preview),
});

export const createPreview = endpoint({
  example: { body: { configuration: { title: "Spring", enabled: true } } },
  operation: "POST /pim/preview",
  summary: "Create a preview configuration",
  ...writing,
  body: NewPreview,
  answer: Preview,
  status: 201,
  codes: ["preview.key-taken", "quota.exceeded"],
});

export const getPreview = endpoint({
  operation: "GET /pim/preview/{key}",
  summary: "Show what is known beside a preview configuration: version, author, problems",
  ...reading,
  answer: Preview,
  codes: ["preview.not-found"],
  conditional: "tag",
});

export const deletePreview = endpoint({
  operation: "DELETE /pim/preview/{key}",
  summary: "Delete a preview configuration; it can be restored for 30 days",
  ...writing,
  status: 204,
  conditional: "tag-and-time",
  codes: ["preview.not-found"],
});

export const archivePreview = endpoint({
  operation: "POST /pim/preview/{key}/archive",
  summary: "Archive a preview configuration: it can be read, not changed",
  ...writing,
  answer: Preview,
  codes: ["preview.not-found"],
});

export const unarchivePreview = endpoint({
  operation: "POST /pim/preview/{key}/unarchive",
  summary: "Take a preview configuration out of the archive",
  ...writing,
  answer: Preview,
  codes: ["preview.not-found"],
});

export const restorePreview = endpoint({
  operation: "POST /pim/preview/{key}/restore",
  summary: "Undo the deletion of a preview configuration",
  ...writing,
  answer: Preview,
  codes: ["preview.not-found", "preview.key-taken", "quota.exceeded"],
});

export const validatePreview = endpoint({
  operation: "POST /pim/preview/validate",
  summary: "List the problems that a configuration would have, without storing it",
  ...writing,
  body: PreviewConfiguration,
  answer: z.object({ problems: z.array(PreviewProblem) }),
});

export const listPreviewRevisions = endpoint({
  operation: "GET /pim/preview/{key}/revisions",
  summary: "List the revisions of a preview configuration, newest first",
  ...reading,
  query: ListPreviewRevisionsQuery,
  answer: z.array(PreviewRevision),
  codes: ["preview.not-found"],
});

export const getPreviewRevision = endpoint({
  operation: "GET /pim/preview/{key}/revisions/{n}",
  summary: "Read a revision of a preview configuration, byte for byte",
  ...reading,
  answer: PreviewConfiguration,
  conditional: "tag-and-time",
  codes: ["preview.not-found"],
});

export const restorePreviewRevision = endpoint({
  operation: "POST /pim/preview/{key}/revisions/{n}/restore",
  summary: "Make an earlier revision the newest again",
  ...writing,
  answer: Preview,
  conditional: "tag-and-time",
  codes: ["preview.not-found", "preview.archived", "quota.exceeded"],
});
